import { sql, type Transaction } from 'kysely';
import {
  isDeclined,
  missedDeadline,
  type OutputRecord,
  paymentStatusOf,
  replacedIds,
  wasGivenUp,
} from '../../../machines/index.ts';
import { type Database, insertUnnested } from '../../platform/db/index.ts';
import type { TransactionStep } from './transaction-step.ts';

/**
 * One row per on-chain output. Unchanged rows are excluded beforehand, because a conflict locks the
 * row, which writes its page, even if nothing is updated.
 */
export async function projectPayments(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  const rows = steps.flatMap(({ actorId, context }) => {
    const { network, outputs } = context;
    const replaced = replacedIds(outputs);
    const declines = isDeclined(context);
    return outputs.map((output) => ({
      ...paymentRow(actorId, network, output),
      is_replaced: replaced.has(output.outputId),
      is_declined: declines(output),
      missed_deadline: missedDeadline(context, output),
      given_up: wasGivenUp(context, output),
    }));
  });
  if (rows.length === 0) return;
  await sql`
    ${insertUnnested('payment', PAYMENT_COLUMNS, rows, 'next')}
    where coalesce((
      select (known.presence, known.status, known.is_replaced, known.is_declined, known.missed_deadline, known.given_up, known.block_hash, known.first_seen_at, known.txid,
          known.amount_base_units)
        is distinct from (next.presence, next.status, next.is_replaced, next.is_declined, next.missed_deadline, next.given_up, next.block_hash, next.first_seen_at,
          next.txid, next.amount_base_units)
      from payment as known
      where known.transaction_id = next.transaction_id and known.output_id = next.output_id
    ), true)
    on conflict (transaction_id, output_id) do update set txid = excluded.txid,
      amount_base_units = excluded.amount_base_units, presence = excluded.presence, status = excluded.status,
      is_replaced = excluded.is_replaced, is_declined = excluded.is_declined,
      missed_deadline = excluded.missed_deadline, given_up = excluded.given_up, height = excluded.height, block_hash = excluded.block_hash,
      first_seen_at = excluded.first_seen_at, confirmed_at = excluded.confirmed_at`.execute(trx);
}

// Helpers

const PAYMENT_COLUMNS = {
  text: ['transaction_id', 'output_id', 'network', 'txid', 'presence', 'status', 'block_hash'],
  numeric: ['amount_base_units'],
  boolean: ['is_replaced', 'is_declined', 'missed_deadline', 'given_up'],
  int8: ['height'],
  timestamptz: ['first_seen_at', 'confirmed_at'],
} as const;

function paymentRow(transactionId: string, network: string, output: OutputRecord) {
  return {
    transaction_id: transactionId,
    output_id: output.outputId,
    network,
    txid: output.txid,
    amount_base_units: output.amountBaseUnits,
    presence: output.presence,
    status: paymentStatusOf(output),
    height: output.height,
    block_hash: output.blockHash,
    first_seen_at: output.firstSeenAt,
    confirmed_at: output.confirmedAt,
  };
}
