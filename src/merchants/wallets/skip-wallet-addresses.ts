import { TerminalError } from '../../platform/errors.ts';
import { skipAddresses } from '../../wallets/index.ts';
import { type Change, writeAudit } from '../audit/audit.ts';

/** More at once would exceed the gap limit of most wallets. */
export const MAX_SKIPPED_ADDRESSES = 100;

/**
 * Skips the next addresses of a wallet, because another program has handed them out. Returns the
 * highest index skipped. Throws a `TerminalError`: `INVALID_REQUEST` for a count out of range,
 * `WALLET_NOT_FOUND`, also for another merchant's, `WALLET_SHARED` when another merchant uses the
 * same key, whose addresses these are too.
 */
export async function skipWalletAddresses(
  change: Change,
  { merchantId, walletId, count }: { merchantId: string; walletId: string; count: number },
): Promise<number> {
  const { trx } = change;
  if (!Number.isInteger(count) || count < 1 || count > MAX_SKIPPED_ADDRESSES) {
    throw new TerminalError('INVALID_REQUEST', `count must be a whole number from 1 to ${MAX_SKIPPED_ADDRESSES}`, {
      field: 'count',
    });
  }
  const wallet = await trx
    .selectFrom('wallet')
    .select(['derivation_key_id as key', 'network'])
    .where('id', '=', walletId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (wallet === undefined) {
    throw new TerminalError('WALLET_NOT_FOUND', 'There is no such wallet; it may have been replaced. Look again');
  }
  const others = await trx
    .selectFrom('wallet')
    .select('id')
    .where('derivation_key_id', '=', wallet.key)
    .where('merchant_id', '!=', merchantId)
    .limit(1)
    .execute();
  if (others.length > 0) {
    throw new TerminalError(
      'WALLET_SHARED',
      'Another account is paid into this wallet too; ask the operator of this service to skip addresses of it',
    );
  }
  const lastSkippedIndex = await skipAddresses(trx, wallet.key, count);
  const details = { network: wallet.network, count, lastSkippedIndex };
  await writeAudit(change, { merchantId, what: 'wallet.addresses_skipped', subjectId: walletId, details });
  return lastSkippedIndex;
}
