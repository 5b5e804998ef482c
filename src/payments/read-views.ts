import type { Kysely } from 'kysely';
import type { Database } from '../db/index.ts';
import { heightGate } from './network-gates.ts';
import { type TransactionRow, type TransactionView, toView } from './view.ts';

/** Columns a view is made of. */
export const VIEW_COLUMNS = [
  'id',
  'status',
  'exception',
  'type',
  'crypto',
  'network',
  'deposit_address',
  'due_base_units',
  'paid_base_units',
  'amount_crypto',
  'amount_fiat',
  'amount_usd',
  'currency_fiat',
  'fiat_to_usd_rate',
  'exchange_rate',
  'confirmations_required',
  'order_id',
  'customer_email',
  'items',
  'metadata',
  'success_url',
  'cancel_url',
  'created_at',
  'updated_at',
  'expires_at',
] as const;

/** Completes transaction rows with their payments and chain heights: two more queries, however many rows. */
export async function toViews(
  { db, publicUrl }: { db: Kysely<Database>; publicUrl: string },
  rows: readonly TransactionRow[],
): Promise<TransactionView<string>[]> {
  if (rows.length === 0) return [];
  const payments = await db
    .selectFrom('payment')
    .select(['transaction_id', 'output_id', 'txid', 'amount_base_units', 'presence', 'status', 'height'])
    .select(['first_seen_at', 'confirmed_at'])
    .where(
      'transaction_id',
      'in',
      rows.map((row) => row.id),
    )
    .orderBy('first_seen_at')
    .orderBy('output_id')
    .execute();
  const paid = new Set(payments.map((payment) => payment.transaction_id));
  const gates = new Map(rows.map((row) => [row.id, heightGate(row.network, row.id)]));
  const heights = await readHeights(
    db,
    [...gates].flatMap(([id, gate]) => (paid.has(id) ? [gate] : [])),
  );
  return rows.map((row) =>
    toView(row, {
      payments: payments.filter((payment) => payment.transaction_id === row.id),
      tipHeight: heights.get(gates.get(row.id) ?? '') ?? null,
      publicUrl,
    }),
  );
}

// Helpers

async function readHeights(db: Kysely<Database>, gates: readonly string[]): Promise<Map<string, number | null>> {
  if (gates.length === 0) return new Map();
  const rows = await db
    .selectFrom('watermark')
    .select(['gate', 'height'])
    .where('gate', 'in', [...new Set(gates)])
    .execute();
  return new Map(rows.map((row) => [row.gate, row.height]));
}
