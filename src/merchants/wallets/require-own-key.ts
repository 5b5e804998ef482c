import { type Kysely, sql, type Transaction } from 'kysely';
import type { CryptoSymbol } from '../../../machines/index.ts';
import { alertOnce, type Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { type RequestAuthor, writeAudit } from '../audit/audit.ts';

/** A key of which a merchant makes its wallet. */
interface WalletKeyUse {
  readonly merchantId: string;
  readonly cryptos: readonly CryptoSymbol[];
  readonly derivationKeyId: string;
  readonly network: string;
}

/** `WALLET_SHARED`: a wallet was rejected because its key is another merchant's. */
export class WalletShared extends TerminalError {
  readonly use: WalletKeyUse;
  /** Not for the merchant that was rejected. */
  readonly otherMerchantId: string;

  constructor(use: WalletKeyUse, otherMerchantId: string) {
    super(
      'WALLET_SHARED',
      'Another merchant uses this extended public key, or has used it; nothing was changed. ' +
        'Add the key of another account (derivation path) of your wallet, or contact the operator of this service',
      { field: 'extendedPublicKey' },
    );
    this.use = use;
    this.otherMerchantId = otherMerchantId;
  }
}

/**
 * Rejects a receive chain that is another merchant's wallet now, or whose first payment was another
 * merchant's: two merchants of one chain see each other's addresses and use them up. Call it after
 * the wallet was set, in the same transaction. Throws `WalletShared`.
 */
export async function requireOwnKey(trx: Transaction<Database>, use: WalletKeyUse): Promise<void> {
  const { merchantId, derivationKeyId } = use;
  // Serializes merchants that set the same key: the second one sees the wallet of the first.
  await sql`select from derivation_key where id = ${derivationKeyId} for no key update`.execute(trx);
  // Only the first payment, because the wallet may have millions.
  const { rows } = await sql<{ id: string }>`
    select merchant_id as id from wallet
    where derivation_key_id = ${derivationKeyId} and merchant_id <> ${merchantId}
    union all
    select id from (
      select transaction.merchant_id as id from address
      join transaction on transaction.id = address.transaction_id
      where address.derivation_key_id = ${derivationKeyId} order by address.derivation_index limit 1
    ) as first
    where id <> ${merchantId}
    limit 1`.execute(trx);
  const [other] = rows;
  if (other !== undefined) throw new WalletShared(use, other.id);
}

/**
 * Audits a rejected key for its merchant, and alerts the operators unless the same alert is open.
 * Separate from the change, which was rolled back.
 */
export async function reportSharedKey(
  db: Kysely<Database>,
  author: RequestAuthor,
  { use, otherMerchantId }: WalletShared,
): Promise<void> {
  const { merchantId, cryptos, derivationKeyId, network } = use;
  await db.transaction().execute(async (trx) => {
    const details = { network, cryptos };
    await writeAudit({ ...author, trx }, { merchantId, what: 'wallet.refused', subjectId: derivationKeyId, details });
    const merchants = await trx
      .selectFrom('merchant')
      .select(['id', 'name'])
      .where('id', 'in', [merchantId, otherMerchantId])
      .execute();
    const named = (id: string) => `${merchants.find((merchant) => merchant.id === id)?.name} (${id})`;
    const detail = `${named(merchantId)} tried to add a wallet of ${named(otherMerchantId)} on ${network} (${derivationKeyId})`;
    await alertOnce(trx, { actorId: null, alert: 'wallet_refused', detail });
  });
}
