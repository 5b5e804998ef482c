import { sql, type Transaction } from 'kysely';
import { ASSETS, type CryptoSymbol, formatCoins, isCryptoSymbol, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { IS_CONFIRMED_UNASSIGNED } from '../unassigned/is-confirmed-unassigned.ts';

/**
 * Coins that arrived before the payment was created, after the end of monitoring, in another asset,
 * or beyond the number of outputs that a payment accepts.
 */
export interface UnassignedDeposit {
  readonly outputId: string;
  readonly reason: 'before_payment' | 'monitoring_ended' | 'other_asset' | 'too_many_outputs';
  readonly asset: CryptoSymbol;
  readonly amountCrypto: string;
  readonly txid: string | null;
  readonly isConfirmed: boolean;
  readonly firstSeenAt: UnixMs;
}

/** Anyone can send dust without end; only the largest deposits are shown. */
const MAX_UNASSIGNED = 50;
/** Coins at a payment's address that the payment does not count, without vanished ones. */
export async function readUnassigned(
  trx: Transaction<Database>,
  transactionId: string,
): Promise<readonly UnassignedDeposit[]> {
  const rows = await trx
    .selectFrom('unassigned_payment')
    .innerJoin('transaction', 'transaction.id', 'unassigned_payment.transaction_id')
    .selectAll('unassigned_payment')
    .select(IS_CONFIRMED_UNASSIGNED.as('is_confirmed'))
    .where('transaction_id', '=', transactionId)
    .where('unassigned_payment.status', '<>', 'gone')
    // The largest of each asset: amounts of different assets cannot be compared.
    .orderBy(sql`row_number() over (partition by asset order by amount_base_units desc, output_id)`)
    .orderBy('asset')
    .limit(MAX_UNASSIGNED)
    .execute();
  return rows.flatMap((row) => {
    // An address assigned to a payment has one of the other reasons.
    if (!isCryptoSymbol(row.asset) || row.reason === 'unassigned_address') return [];
    return {
      outputId: row.output_id,
      reason: row.reason,
      asset: row.asset,
      amountCrypto: formatCoins(row.amount_base_units, ASSETS[row.asset].decimals),
      txid: row.txid,
      isConfirmed: row.is_confirmed,
      firstSeenAt: row.first_seen_at,
    };
  });
}
