import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../../db/index.ts';
import { isDecision } from '../decide/decision.ts';
import { type CustomerRow, customerColumns, mailCustomers } from '../notices/mail-customers.ts';
import { notifyAttention, type RaisedItem } from '../notices/notify-attention.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { attentionOf, mayNeedAttention } from './attention-of.ts';

/**
 * Writes attention items in the commit of the facts they follow from. An item whose reason is gone
 * closes automatically, in the name of the user who decided, if any. An item settled by a person
 * stays settled until there are coins it was not settled for. Mails the merchant's users about
 * each item of a live payment that was never raised before.
 */
export async function projectAttention(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  publicUrl: string,
): Promise<void> {
  const last = new Map(steps.filter(({ context }) => mayNeedAttention(context)).map((step) => [step.actorId, step]));
  if (last.size === 0) return;
  const touched = [...last.values()].map(({ actorId, at }) => ({
    transaction_id: actorId,
    at,
    ...deciderOf(steps, actorId),
  }));
  const current = [...last.values()].flatMap(({ actorId, at, state, context }) =>
    attentionOf(state, context).map(({ kind, baseUnits, outputIds }) => ({
      transaction_id: actorId,
      kind,
      merchant_id: context.merchantId,
      mode: context.mode,
      base_units: baseUnits.toString(),
      output_ids: outputIds,
      at,
    })),
  );
  const { rows } = await sql<RaisedRow>`
    with current_items as (
      select * from jsonb_to_recordset(${JSON.stringify(current)}::jsonb) as item (
        transaction_id text, kind text, merchant_id text, mode text, base_units numeric, output_ids jsonb, at int8
      )
    ), closed as (
      update attention_item set settled_at = ${onTheWall('touched')}, settled_by = touched.by, note = touched.reason
      from jsonb_to_recordset(${JSON.stringify(touched)}::jsonb) as touched (
        transaction_id text, at int8, by text, reason text
      )
      where attention_item.transaction_id = touched.transaction_id and attention_item.settled_at is null
        and attention_item.kind <> 'unassigned_coins'
        and not exists (
          select 1 from current_items
          where current_items.transaction_id = attention_item.transaction_id
            and current_items.kind = attention_item.kind
        )
    ), raised as (
      insert into attention_item as known (transaction_id, kind, merchant_id, mode, base_units, output_ids, raised_at)
      select transaction_id, kind, merchant_id, mode, base_units, output_ids, ${onTheWall('current_items')}
      from current_items
      on conflict (transaction_id, kind) do update set base_units = excluded.base_units,
        output_ids = excluded.output_ids, revision = known.revision + 1,
        raised_at = case when known.settled_at is null then known.raised_at else excluded.raised_at end,
        settled_at = null, settled_by = null, note = null
      where case when known.settled_at is null
        then (known.base_units, known.output_ids) is distinct from (excluded.base_units, excluded.output_ids)
        else known.settled_by is null or known.base_units < excluded.base_units
          or not known.output_ids @> excluded.output_ids
        end
      returning transaction_id, kind, mode, revision
    )
    select transaction_id as "transactionId", kind, ${customerColumns('late')}
    from raised join transaction on transaction.id = transaction_id
    join merchant on merchant.id = transaction.merchant_id
    where raised.mode = 'live' and revision = 1`.execute(trx);
  const raised = rows.flatMap((row) => {
    const step = last.get(row.transactionId);
    return step === undefined ? [] : [{ step, kind: row.kind, orderId: row.orderId, row }];
  });
  await notifyAttention(trx, raised, publicUrl);
  const late = raised.filter(({ kind }) => kind === 'paid_late');
  await mailCustomers(trx, 'late', late, publicUrl);
}

// Helpers

type RaisedRow = CustomerRow & Pick<RaisedItem, 'kind'> & { readonly transactionId: string };

/** A test payment has its own clock; lists over many payments need a common one. */
function onTheWall(table: string): RawBuilder<unknown> {
  const [id, at] = [sql.ref(`${table}.transaction_id`), sql.ref(`${table}.at`)];
  return sql`to_timestamp((${at} - coalesce((select clock_offset_ms from actor where actor.id = ${id}), 0)) / 1000.0)`;
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
