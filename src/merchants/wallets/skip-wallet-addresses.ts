import { sql } from 'kysely';
import { DAY_MS } from '../../../machines/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { skipAddresses } from '../../wallets/index.ts';
import { type AuditedChange, writeAudit } from '../audit/audit.ts';

/** More would exceed the gap limit of most wallets. */
export const MAX_SKIPPED_ADDRESSES = 100;
/** For all wallets of a merchant: every address is watched, even if it is never issued. */
const MAX_SKIPPED_PER_DAY = 1_000;

/**
 * Skips the next addresses of a wallet, because another program has issued them. Returns the
 * highest index skipped. Throws a `TerminalError`: `INVALID_REQUEST` for a count out of range,
 * `WALLET_NOT_FOUND`, also for another merchant's, `WALLET_SHARED` when another merchant uses the
 * same key, whose addresses these are too, and `TOO_MANY_ATTEMPTS` beyond `MAX_SKIPPED_PER_DAY`.
 */
export async function skipWalletAddresses(
  change: AuditedChange,
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
    throw new TerminalError('WALLET_NOT_FOUND', 'Wallet not found; it may have been replaced. Reload the list');
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
      'Another account also uses this wallet; ask the operator of this service to skip its addresses',
    );
  }
  await requireSkipsLeft(change, merchantId, count);
  const lastSkippedIndex = await skipAddresses(trx, wallet.key, count);
  const details = { network: wallet.network, count, lastSkippedIndex };
  await writeAudit(change, { merchantId, what: SKIPPED, subjectId: walletId, details });
  return lastSkippedIndex;
}

// Helpers

const SKIPPED = 'wallet.addresses_skipped';

/**
 * Locks the merchant until the commit, so that concurrent requests are counted one by one. What the
 * operator skips with commands does not count.
 */
async function requireSkipsLeft({ trx, now }: AuditedChange, merchantId: string, count: number): Promise<void> {
  await sql`select from merchant where id = ${merchantId} for no key update`.execute(trx);
  const { rows } = await sql<{ skipped: number }>`
    select coalesce(sum((details ->> 'count')::int4), 0)::int4 as skipped from audit_entry
    where merchant_id = ${merchantId} and what = ${SKIPPED} and who like 'user %' and occurred_at > ${new Date(now - DAY_MS)}`.execute(
    trx,
  );
  if ((rows[0]?.skipped ?? 0) + count <= MAX_SKIPPED_PER_DAY) return;
  throw new TerminalError(
    'TOO_MANY_ATTEMPTS',
    `You can skip at most ${MAX_SKIPPED_PER_DAY} addresses in 24 hours; skip the rest later`,
  );
}
