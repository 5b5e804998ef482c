import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { isDecision } from '../decide/decision.ts';
import { type CustomerRow, customerColumns, mailLateCustomers } from '../notices/mail-customers.ts';
import { notifyAttention, type RaisedItem } from '../notices/notify-attention.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { type AttentionKind, attentionOf, mayNeedAttention } from './attention-of.ts';
import { type SettledPart, unsettledPart } from './unsettled-part.ts';

/**
 * Writes attention items in the commit of the facts they follow from. An item whose reason is gone
 * closes automatically, in the name of the user who decided, if any. An item settled by a person
 * opens again for the coins it was not settled for only. Mails the merchant's users about each item
 * of a live payment that is new, or opens again after a person has ended it.
 */
export async function projectAttention(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  publicUrl: string,
): Promise<void> {
  const last = new Map(steps.filter(({ context }) => mayNeedAttention(context)).map((step) => [step.actorId, step]));
  if (last.size === 0) return;
  const touched: Touched[] = [...last.values()].map(({ actorId, wallAt }) => ({
    transaction_id: actorId,
    at: wallAt,
    ...deciderOf(steps, actorId),
  }));
  const facts = [...last.values()].flatMap((step) =>
    attentionOf(step.state, step.context).map((fact) => ({ step, fact })),
  );
  if (facts.length === 0) return closeItems(trx, touched);
  const known = await lockItems(trx, [...last.keys()]);
  const current = facts.flatMap(({ step: { actorId, wallAt, context }, fact }) => {
    const item = known.get(keyOf(actorId, fact.kind));
    const part = item === undefined ? fact : unsettledPart(fact, item.settled, context.outputs);
    if (part === null) return [];
    return {
      transaction_id: actorId,
      kind: part.kind,
      merchant_id: context.merchantId,
      mode: context.mode,
      base_units: part.baseUnits.toString(),
      output_ids: part.outputIds,
      at: wallAt,
      is_news: item === undefined || item.wasDecided || (part.kind === 'coins_lost' && !item.isOpen),
    };
  });
  const { rows } = await sql<RaisedRow>`
    with current_items as (
      select * from jsonb_to_recordset(${JSON.stringify(current)}::jsonb) as item (
        transaction_id text, kind text, merchant_id text, mode text, base_units numeric, output_ids jsonb, at int8, is_news bool
      )
    ), closed as (
      update attention_item set ${closedBy(sql`to_timestamp(touched.at / 1000.0)`)}
      from jsonb_to_recordset(${JSON.stringify(touched)}::jsonb) as touched (
        transaction_id text, at int8, by text, reason text
      )
      where attention_item.transaction_id = touched.transaction_id and ${IS_TO_CLOSE}
        and not exists (
          select 1 from current_items
          where current_items.transaction_id = attention_item.transaction_id
            and current_items.kind = attention_item.kind
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
      returning transaction_id, kind, mode, revision
    )
    select raised.transaction_id as "transactionId", raised.kind, raised.revision, is_news as "isNews", ${customerColumns('late')}
    from raised join current_items using (transaction_id, kind)
    join transaction on transaction.id = raised.transaction_id
    join merchant on merchant.id = transaction.merchant_id
    where raised.mode = 'live'`.execute(trx);
  const raised = rows.flatMap(({ transactionId, kind, revision, isNews, ...row }) => {
    const step = last.get(transactionId);
    const ids = current.find((item) => item.transaction_id === transactionId && item.kind === kind)?.output_ids;
    if (step === undefined || ids === undefined) return [];
    const outputs = step.context.outputs.filter(({ outputId }) => ids.includes(outputId));
    return [{ step, kind, revision, isNews, outputs, orderId: row.orderId, row }];
  });
  await notifyAttention(
    trx,
    raised.filter(({ isNews }) => isNews),
    publicUrl,
  );
  const late = raised.filter(({ kind }) => kind === 'paid_late');
  await mailLateCustomers(trx, late, publicUrl);
}

// Helpers

interface RaisedRow extends CustomerRow, Pick<RaisedItem, 'kind' | 'revision'> {
  readonly transactionId: string;
  readonly isNews: boolean;
}

/** Closes every open item of payments without a reason for one, which are almost all payments. */
async function closeItems(trx: Transaction<Database>, touched: readonly Touched[]): Promise<void> {
  await sql`
    update attention_item set ${closedBy(sql`touched.at`)}
    from ${unnestRows('touched', { text: ['transaction_id', 'by', 'reason'], timestamptz: ['at'] }, touched)}
    where attention_item.transaction_id = touched.transaction_id and ${IS_TO_CLOSE}`.execute(trx);
}

/** Coins that come back end what was settled about their loss: another loss is a new one. */
const IS_TO_CLOSE = sql`attention_item.kind <> 'unassigned_coins'
  and (attention_item.settled_at is null or attention_item.kind = 'coins_lost' and settled_base_units > 0)`;

function closedBy(at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`settled_at = coalesce(attention_item.settled_at, ${at}),
    settled_by = case when attention_item.settled_at is null then touched.by else settled_by end,
    note = case when attention_item.settled_at is null then coalesce(touched.reason, note) else note end,
    settled_base_units = case when kind = 'coins_lost' then 0 else settled_base_units end`;
}

interface Touched {
  readonly transaction_id: string;
  readonly at: UnixMs;
  readonly by: string | null;
  readonly reason: string | null;
}

interface KnownItem {
  readonly settled: SettledPart;
  /** A person has ended it. Coins that come afterwards are news to the merchant. */
  readonly wasDecided: boolean;
  readonly isOpen: boolean;
}

/** The items of these payments, locked: until the commit, none is settled. */
async function lockItems(trx: Transaction<Database>, ids: readonly string[]): Promise<Map<string, KnownItem>> {
  const rows = await trx
    .selectFrom('attention_item')
    .select(['transaction_id', 'kind', 'settled_at', 'settled_by', 'settled_base_units', 'settled_output_ids'])
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
        isOpen: row.settled_at === null,
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
