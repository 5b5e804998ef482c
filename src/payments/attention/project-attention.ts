import { sql, type Transaction } from 'kysely';
import { ASSETS, formatCoins, type UnixMs } from '../../../machines/index.ts';
import { userAuthor, writeAudit } from '../../merchants/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { isDecision, isSettlement } from '../decide/decision.ts';
import { type CustomerRow, customerColumns, emailLateCustomers } from '../notices/email-customers.ts';
import { notifyAttention, type RaisedItem, type RaisedLoss, withdrawLossEmails } from '../notices/notify-attention.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { type AttentionKind, attentionOf, mayNeedAttention } from './attention-of.ts';
import { type SettledPart, unsettledPart } from './unsettled-part.ts';

/**
 * Writes attention items in the commit of the reasons they follow from. An item whose reason is
 * gone closes automatically, in the name of the user who decided, if any. An item settled by a
 * person opens again for the coins it was not settled for only. Emails the merchant's users about
 * each item of a live payment that is new, or opens again after a person has ended it; about lost
 * coins once the loss has lasted, unless the item has closed by then.
 */
export async function projectAttention(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  publicUrl: string,
): Promise<void> {
  const last = new Map(steps.filter(({ context }) => mayNeedAttention(context)).map((step) => [step.actorId, step]));
  if (last.size === 0) return;
  const reasons = [...last.values()].flatMap((step) =>
    attentionOf(step.state, step.context).map((reason) => ({ step, reason })),
  );
  const lost = new Set(reasons.filter(({ reason }) => reason.kind === 'coins_lost').map(({ step }) => step.actorId));
  const touched: Touched[] = [...last.values()].map(({ actorId, wallAt }) => ({
    transaction_id: actorId,
    at: wallAt,
    is_lost: lost.has(actorId),
    ...deciderOf(steps, actorId),
  }));
  const close = async (current: readonly KeptItem[]) => {
    const closed = await closeItems(trx, touched, current);
    await auditSettlements(trx, closed, last);
  };
  if (reasons.length === 0) return close([]);
  const known = await lockItems(trx, [...last.keys()]);
  const current = reasons.flatMap(({ step: { actorId, wallAt, context }, reason }) => {
    const item = known.get(keyOf(actorId, reason.kind));
    const part = item === undefined ? reason : unsettledPart(reason, item.settled, context.outputs);
    if (part === null) return [];
    return {
      transaction_id: actorId,
      kind: part.kind,
      merchant_id: context.merchantId,
      mode: context.mode,
      base_units: part.baseUnits.toString(),
      output_ids: part.outputIds,
      at: wallAt,
      is_news: item === undefined || item.wasDecided,
    };
  });
  await close(current);
  if (current.length === 0) return;
  const { rows } = await sql<RaisedRow>`
    with current_items as (
      select * from jsonb_to_recordset(${JSON.stringify(current)}::jsonb) as item (
        transaction_id text, kind text, merchant_id text, mode text, base_units numeric, output_ids jsonb, at int8, is_news bool
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
      is_news as "isNews", ${customerColumns('late')}
    from raised join current_items using (transaction_id, kind)
    join transaction on transaction.id = raised.transaction_id
    join merchant on merchant.id = transaction.merchant_id
    where raised.mode = 'live'`.execute(trx);
  const raised = rows.flatMap(({ transactionId, kind, revision, raisedAt, isNews, ...row }) => {
    const step = last.get(transactionId);
    const ids = current.find((item) => item.transaction_id === transactionId && item.kind === kind)?.output_ids;
    if (step === undefined || ids === undefined) return [];
    const outputs = step.context.outputs.filter(({ outputId }) => ids.includes(outputId));
    return [{ step, kind, revision, raisedAt, isNews, outputs, orderId: row.orderId, row }];
  });
  await notifyAttention(
    trx,
    raised.filter(({ isNews, kind }) => isNews || kind === 'coins_lost'),
    publicUrl,
  );
  const late = raised.filter(({ kind }) => kind === 'paid_late');
  await emailLateCustomers(trx, late, publicUrl);
}

// Helpers

interface RaisedRow extends CustomerRow, Pick<RaisedItem, 'kind' | 'revision' | 'raisedAt'> {
  readonly transactionId: string;
  readonly isNews: boolean;
}

/**
 * Closes the open items of these payments that no longer have a reason: all, for almost all
 * payments. Coins that return end the settlement of their loss, so that another loss is a new one.
 */
async function closeItems(
  trx: Transaction<Database>,
  touched: readonly Touched[],
  current: readonly KeptItem[],
): Promise<readonly ClosedItem[]> {
  const endsLoss = sql`(kind = 'coins_lost' and not touched.is_lost)`;
  const { rows } = await sql<ClosedItem>`
    update attention_item set settled_at = coalesce(settled_at, touched.at),
      settled_by = case when settled_at is null then touched.by else settled_by end,
      note = case when settled_at is null then coalesce(touched.reason, note) else note end,
      settled_base_units = case
        when ${endsLoss} then 0
        when settled_at is null and touched.settles then settled_base_units + base_units
        else settled_base_units end
    from ${unnestRows('touched', TOUCHED_COLUMNS, touched)}
    where attention_item.transaction_id = touched.transaction_id and kind <> 'unassigned_coins'
      and (settled_at is null or settled_base_units > 0 and ${endsLoss})
      and not exists (
        select 1 from ${unnestRows('kept', { text: ['transaction_id', 'kind'] }, current)}
        where kept.transaction_id = attention_item.transaction_id and kept.kind = attention_item.kind
      )
    returning kind, attention_item.transaction_id as "transactionId", raised_at as "raisedAt",
      base_units as "baseUnits", touched.settles as "isSettlement", touched.by, touched.reason`.execute(trx);
  await withdrawLossEmails(
    trx,
    rows.filter(({ kind }) => kind === 'coins_lost'),
  );
  return rows;
}

/** The audit entries of items that a user has settled by declining their coins. */
async function auditSettlements(
  trx: Transaction<Database>,
  closed: readonly ClosedItem[],
  steps: ReadonlyMap<string, TransactionStep>,
): Promise<void> {
  for (const { transactionId: subjectId, kind, baseUnits, isSettlement, by, reason: note } of closed) {
    const step = steps.get(subjectId);
    if (!isSettlement || by === null || note === null || step === undefined) continue;
    const { merchantId, crypto } = step.context;
    const details = { kind, note, amountCrypto: formatCoins(baseUnits, ASSETS[crypto].decimals), crypto };
    const change = { trx, who: userAuthor(by), now: step.wallAt };
    await writeAudit(change, { merchantId, what: 'attention.settled', subjectId, details });
  }
}

const TOUCHED_COLUMNS = {
  text: ['transaction_id', 'by', 'reason'],
  timestamptz: ['at'],
  boolean: ['is_lost', 'settles'],
} as const;

interface Touched {
  readonly transaction_id: string;
  readonly at: UnixMs;
  /** Whether its coins are gone, also when a user has settled that. */
  readonly is_lost: boolean;
  /** Whether `by` has settled coins, as opposed to a decision about the payment. */
  readonly settles: boolean;
  readonly by: string | null;
  readonly reason: string | null;
}

interface KeptItem {
  readonly transaction_id: string;
  readonly kind: AttentionKind;
}

interface ClosedItem extends RaisedLoss {
  readonly kind: AttentionKind;
  readonly baseUnits: bigint;
  readonly isSettlement: boolean;
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

/** The author of the last decision or settlement in this batch, and the reason. */
function deciderOf(steps: readonly TransactionStep[], actorId: string): Pick<Touched, 'settles' | 'by' | 'reason'> {
  for (const { actorId: id, outcome, event } of steps.toReversed()) {
    if (id !== actorId || outcome !== 'applied') continue;
    const settles = isSettlement(event);
    if (settles || isDecision(event)) return { settles, by: event.by, reason: event.reason ?? null };
  }
  return { settles: false, by: null, reason: null };
}
