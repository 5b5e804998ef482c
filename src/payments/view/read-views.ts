import { type RawBuilder, sql } from 'kysely';
import type { TransactionContext } from '../../../machines/index.ts';
import type { Step } from '../../platform/engine/index.ts';
import { statusOf, termsOf } from '../projection/transaction-rows.ts';
import { heightGateOf } from '../watching/gate-names.ts';
import { type PaymentRow, type TransactionView, toView, type ViewColumns } from './merchant-view.ts';

/** A transaction with all data of its view. */
export interface ViewRow extends ViewColumns {
  /** In order of first sighting; null for none. */
  readonly payments: readonly StoredPayment[] | null;
  /** Height of the transaction's chain; null when it was never scanned. */
  readonly tip_height: number | null;
}

/**
 * Adds payments and chain heights to a query of transactions, so that a view is a single
 * snapshot: a status never appears with newer payments. Lateral, so that they are looked up per row
 * by index; with a plain join a planner without statistics might do otherwise.
 */
export function withPayments<Row extends { readonly id: string | null }>(
  transactions: RawBuilder<Row>,
): RawBuilder<Row & Pick<ViewRow, 'payments' | 'tip_height'>> {
  return sql`
    select found.*, paid.payments, case when paid.payments is not null then (
      select height from watermark where gate = ${heightGateOf('found')}
    ) end as tip_height
    from (${transactions}) as found
    left join lateral (
      select json_agg(json_build_array(
        txid, amount_base_units::text, presence, status, height, first_seen_at, confirmed_at
      ) order by first_seen_at, output_id) as payments
      from payment where payment.transaction_id = found.id
    ) as paid on true
    order by found.created_at desc, found.id desc`;
}

export function viewOf(row: ViewRow, publicUrl: string): TransactionView<string> {
  return toView(row, { payments: (row.payments ?? []).map(readPayment), tipHeight: row.tip_height, publicUrl });
}

/** The view of a just started transaction, from the committed step: equal to reading it back. */
export function viewOfStarted(step: Step, publicUrl: string): TransactionView<string> {
  // Steps of the kind `transaction` carry its context; the engine is generic and erases the type.
  const started = step as Step<TransactionContext>;
  const row = { ...statusOf(started), ...termsOf(started), created_at: step.at };
  const baseUnits = { due_base_units: BigInt(row.due_base_units), paid_base_units: BigInt(row.paid_base_units) };
  return toView({ ...row, ...baseUnits }, { payments: [], tipHeight: null, publicUrl });
}

// Helpers

/**
 * A row of `payment` as a JSON array, which costs less than an object: base units as text, because
 * a JSON number would lose digits, and times as ISO 8601.
 */
type StoredPayment = readonly [
  txid: string | null,
  baseUnits: string,
  presence: PaymentRow['presence'],
  status: PaymentRow['status'],
  height: number | null,
  firstSeenAt: string,
  confirmedAt: string | null,
];

function readPayment(stored: StoredPayment): PaymentRow {
  const [txid, baseUnits, presence, status, height, firstSeenAt, confirmedAt] = stored;
  return {
    txid,
    amount_base_units: BigInt(baseUnits),
    presence,
    status,
    height,
    first_seen_at: Date.parse(firstSeenAt),
    confirmed_at: confirmedAt === null ? null : Date.parse(confirmedAt),
  };
}
