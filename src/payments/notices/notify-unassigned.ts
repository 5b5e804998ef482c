import { type Selectable, sql, type Transaction } from 'kysely';
import { ASSETS, type CryptoSymbol, confirmationsRequired, formatCoins, type UnixMs } from '../../../machines/index.ts';
import { type MerchantNotice, notifyMerchantUsers } from '../../mail/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { derivedId } from '../../platform/ids.ts';
import { type MailedReason, unassignedEmail } from './unassigned-email.ts';

export type UnassignedRow = Pick<
  Selectable<Database['unassigned_payment']>,
  'network' | 'address' | 'asset' | 'output_id' | 'txid' | 'amount_base_units' | 'transaction_id' | 'status' | 'height'
> & { readonly reason: MailedReason };

/**
 * Emails the users of each merchant which coins arrived in its live wallets that belong to no open
 * payment, in the commit that records them. The caller passes each output once. Outputs for the
 * same reason and payment, or without a payment, share an email, so that a sender of many causes
 * few. Most are in their first block, or in none: the email says when that is not deep enough.
 */
export async function notifyUnassigned(
  trx: Transaction<Database>,
  rows: readonly UnassignedRow[],
  publicUrl: string,
): Promise<void> {
  if (rows.length === 0) return;
  const owners = await findOwners(trx, rows);
  const groups = new Map<string, { readonly owner: Owner; readonly rows: OwnedRow[] }>();
  for (const [index, row] of rows.entries()) {
    const owner = owners.get(index);
    if (owner === undefined) continue;
    const key = JSON.stringify([owner.merchantId, row.transaction_id, row.reason]);
    const group = groups.get(key) ?? { owner, rows: [] };
    group.rows.push({ ...row, isConfirmed: isDeepEnough(row, owner) });
    groups.set(key, group);
  }
  const notices = [...groups.values()].flatMap(({ owner, rows: [first, ...others] }) => {
    return first === undefined ? [] : [noticeOf(owner, [first, ...others], publicUrl)];
  });
  await notifyMerchantUsers(trx, notices);
}

// Helpers

interface OwnedRow extends UnassignedRow {
  readonly isConfirmed: boolean;
}

interface Owner {
  readonly merchantId: string;
  readonly orderId: string | null;
  /** Of the payment; null without one. */
  readonly required: number | null;
  /** The last scanned height of the network. */
  readonly scannedHeight: number | null;
  /** Wall clock of the database: an observation may be of an old block. */
  readonly now: UnixMs;
}

/**
 * The merchants of the live ones, by position. The row of a replaced wallet names its new
 * key, so the merchant of an old one is that of the first payment to one of its addresses.
 */
async function findOwners(
  trx: Transaction<Database>,
  rows: readonly UnassignedRow[],
): Promise<ReadonlyMap<number, Owner>> {
  const requested = rows.map(({ network, address }, index) => ({ network, address, index }));
  const { rows: found } = await sql<Owner & { readonly index: number }>`
    select requested.index, owner.id as "merchantId", transaction.order_id as "orderId",
      transaction.confirmations_required as required, chain_cursor.height as "scannedHeight", now() as now
    from ${unnestRows('requested', { text: ['network', 'address'], int4: ['index'] }, requested)}
    join address on address.network = requested.network and address.address = requested.address
    left join transaction on transaction.id = address.transaction_id
    left join derivation_key as key on key.id = address.derivation_key_id
    left join chain_cursor on chain_cursor.network = requested.network
    cross join lateral (
      select coalesce(
        transaction.merchant_id,
        (select merchant_id from wallet where derivation_key_id = key.id and merchant_id is not null
          order by created_at, id limit 1),
        (
          select paid.merchant_id from address as used join transaction as paid on paid.id = used.transaction_id
          where used.derivation_key_id = key.id order by used.derivation_index limit 1
        )
      ) as id
    ) as owner
    where coalesce(transaction.mode, key.mode) = 'live' and owner.id is not null`.execute(trx);
  return new Map(found.map((row) => [row.index, row]));
}

/**
 * By the last scanned block, which may be the one before it. Without a payment there is no required
 * depth: the largest one of the coin is always enough.
 */
function isDeepEnough({ asset, status, height }: UnassignedRow, { required, scannedHeight }: Owner): boolean {
  if (status === 'confirmed') return true;
  if (status !== 'block' || height === null) return false;
  const depth = Math.max(height, scannedHeight ?? height) - height + 1;
  return depth >= (required ?? confirmationsRequired(asset as CryptoSymbol, LARGE_AMOUNT_USD));
}

/** Above the amounts that require fewer confirmations. */
const LARGE_AMOUNT_USD = '1000000';

function noticeOf(
  { merchantId, orderId, now: at }: Owner,
  rows: readonly [OwnedRow, ...OwnedRow[]],
  publicUrl: string,
): MerchantNotice {
  const [{ network, address, asset, output_id: outputId, transaction_id: transactionId, reason }] = rows;
  const outputs = rows.map((row) => {
    const { decimals } = ASSETS[row.asset as CryptoSymbol];
    const amount = `${formatCoins(row.amount_base_units, decimals)} ${row.asset}`;
    return { amount, network: row.network, address: row.address, txid: row.txid };
  });
  return {
    id: derivedId('ntc', 'unassigned_coins', network, address, asset, outputId),
    merchantId,
    setting: 'mailUnassignedCoins',
    content: unassignedEmail({
      reason,
      transactionId,
      orderId,
      outputs,
      isConfirmed: rows.every(({ isConfirmed }) => isConfirmed),
      publicUrl,
    }),
    at,
  };
}
