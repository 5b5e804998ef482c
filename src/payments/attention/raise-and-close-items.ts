import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { isDecision } from '../decide/decision.ts';
import { type CustomerRow, customerColumns, emailLateCustomers } from '../notices/email-customers.ts';
import { notifyAttention, type RaisedItem, type RaisedLoss, withdrawLossEmails } from '../notices/notify-attention.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { applySettlements } from './apply-settlements.ts';
import { type AttentionKind, attentionOf, mayNeedAttention } from './attention-of.ts';
import { type SettledPart, unsettledPart } from './unsettled-part.ts';

/**
 * Writes attention items in the commit of the reasons they follow from. An item whose reason is
 * gone closes automatically, in the name of the user who decided, if any; settlements come first,
 * as they name their item. An item settled by a person opens again for the coins it was not settled
 * for only. Emails the merchant's users about each item of a live payment that is new, or opens
 * again after a person has ended it; about lost coins once the loss has lasted, unless the item has
 * closed by then.
 */
export async function projectAttention(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  publicUrl: string,
): Promise<void> {
  const last = new Map(steps.filter(({ context }) => mayNeedAttention(context)).map((step) => [step.actorId, step]));
  if (last.size === 0) return;
  await applySettlements(trx, steps);
  const reasons = [...last.values()].flatMap((step) =>
    attentionOf(step.state, step.context).map((reason) => ({ step, reason })),
  );
  const touched: Touched[] = [...last.values()].map(({ actorId, wallAt }) => ({
    transaction_id: actorId,
    at: wallAt,
    ...deciderOf(steps, actorId),
  }));
  if (reasons.length === 0) return closeItems(trx, touched, []);
  const known = await lockItems(trx, [...last.keys()]);
  const current = reasons.flatMap(({ step: { actorId, wallAt, context }, reason }) => {
    const item = known.get(keyOf(actorId, reason.kind));
    // A completed payment knows what was settled of it.
    const isWhole = item === undefined || context.completedAt !== null;
    const part = isWhole ? reason : unsettledPart(reason, item.settled, context);
    if (part === null) return [];
    return {
      transaction_id: actorId,
      kind: part.kind,
      merchant_id: context.merchantId,
      mode: context.mode,
      base_units: part.baseUnits.toString(),
      output_ids: part.outputIds,
      at: wallAt,
      is_notified: item === undefined || item.wasDecided,
    };
  });
  await closeItems(trx, touched, current);
  if (current.length === 0) return;
  const { rows } = await sql<RaisedRow>`
    with current_items as (
      select * from jsonb_to_recordset(${JSON.stringify(current)}::jsonb) as item (
        transaction_id text, kind text, merchant_id text, mode text, base_units numeric, output_ids jsonb, at int8, is_notified bool
      )
    ), raised as (
      insert into attention_item as known (transaction_id, kind, merchant_id, mode, base_units, output_ids, raised_at)
      select transaction_id, kind, merchant_id, mode, base_units, output_ids, to_timestamp(at / 1000.0)
      from current_items
      on conflict (transaction_id, kind) do update set base_units = excluded.base_units,
        output_ids = excluded.output_ids, revision = known.revision + 1,
        raised_at = case when known.settled_at is null then known.raised_at else excluded.raised_at end,
        settled_at = null, settled_by = null, note = case when known.settled_base_units > 0 then known.note end
      where known.settled_at is not null
        or (known.base_units, known.output_ids) is distinct from (excluded.base_units, excluded.output_ids)
      returning transaction_id, kind, mode, revision, raised_at
    )
    select raised.transaction_id as "transactionId", raised.kind, raised.revision, raised.raised_at as "raisedAt",
      is_notified as "isNotified", ${customerColumns('late')}
    from raised join current_items using (transaction_id, kind)
    join transaction on transaction.id = raised.transaction_id
    join merchant on merchant.id = transaction.merchant_id
    where raised.mode = 'live'`.execute(trx);
  const raised = rows.flatMap(({ transactionId, kind, revision, raisedAt, isNotified, ...row }) => {
    const step = last.get(transactionId);
    const ids = current.find((item) => item.transaction_id === transactionId && item.kind === kind)?.output_ids;
    if (step === undefined || ids === undefined) return [];
    const outputs = step.context.outputs.filter(({ outputId }) => ids.includes(outputId));
    return [{ step, kind, revision, raisedAt, isNotified, outputs, orderId: row.orderId, row }];
  });
  await notifyAttention(
    trx,
    raised.filter(({ isNotified, kind }) => isNotified || kind === 'coins_lost'),
    publicUrl,
  );
  const late = raised.filter(({ kind }) => kind === 'paid_late');
  await emailLateCustomers(trx, late, publicUrl);
}

// Helpers

interface RaisedRow extends CustomerRow, Pick<RaisedItem, 'kind' | 'revision' | 'raisedAt'> {
  readonly transactionId: string;
  readonly isNotified: boolean;
}

/** Closes the open items of these payments that no longer have a reason: all, for almost all. */
async function closeItems(
  trx: Transaction<Database>,
  touched: readonly Touched[],
  current: readonly { readonly transaction_id: string; readonly kind: AttentionKind }[],
): Promise<void> {
  const { rows } = await sql<RaisedLoss & { readonly kind: AttentionKind }>`
    update attention_item set settled_at = touched.at, settled_by = touched.by, note = coalesce(touched.reason, note)
    from ${unnestRows('touched', TOUCHED_COLUMNS, touched)}
    where attention_item.transaction_id = touched.transaction_id and kind <> 'unassigned_coins'
      and settled_at is null
      and not exists (
        select 1 from ${unnestRows('kept', { text: ['transaction_id', 'kind'] }, current)}
        where kept.transaction_id = attention_item.transaction_id and kept.kind = attention_item.kind
      )
    returning kind, attention_item.transaction_id as "transactionId", raised_at as "raisedAt"`.execute(trx);
  await withdrawLossEmails(
    trx,
    rows.filter(({ kind }) => kind === 'coins_lost'),
  );
}

const TOUCHED_COLUMNS = {
  text: ['transaction_id', 'by', 'reason'],
  timestamptz: ['at'],
} as const;

interface Touched {
  readonly transaction_id: string;
  readonly at: UnixMs;
  readonly by: string | null;
  readonly reason: string | null;
}

interface KnownItem {
  readonly settled: SettledPart;
  /** A person has ended it. Coins that arrive afterwards are new to the merchant. */
  readonly wasDecided: boolean;
}

/** The items of these payments, locked: until the commit, none is settled. */
async function lockItems(trx: Transaction<Database>, ids: readonly string[]): Promise<Map<string, KnownItem>> {
  const rows = await trx
    .selectFrom('attention_item')
    .select(['transaction_id', 'kind', 'settled_by', 'settled_base_units', 'settled_output_ids'])
    .where('transaction_id', 'in', ids)
    .where('kind', '<>', 'unassigned_coins')
    .orderBy('transaction_id')
    .orderBy('kind')
    .forUpdate()
    .execute();
  return new Map(
    rows.map((row) => [
      keyOf(row.transaction_id, row.kind),
      {
        settled: { baseUnits: row.settled_base_units, outputIds: row.settled_output_ids },
        wasDecided: row.settled_by !== null,
      },
    ]),
  );
}

function keyOf(transactionId: string, kind: AttentionKind): string {
  return `${transactionId} ${kind}`;
}

/** The author of the last decision in this batch, and the reason. */
function deciderOf(
  steps: readonly TransactionStep[],
  actorId: string,
): { readonly by: string | null; readonly reason: string | null } {
  const decision = steps.findLast(
    (step) => step.actorId === actorId && step.outcome === 'applied' && isDecision(step.event),
  );
  if (decision === undefined || !isDecision(decision.event)) return { by: null, reason: null };
  return { by: decision.event.by, reason: decision.event.reason ?? null };
}
