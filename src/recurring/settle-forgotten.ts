import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type Database, together } from '../db/index.ts';
import { actorStanding } from '../engine/index.ts';
import { type CompletionHook, type OperatorAlert, raiseOperatorAlerts } from '../payments/index.ts';

/**
 * Settles periods of schedules whose actor is done and receives no more events, in the commit that
 * completes the payment. The merchant's decision on late coins has no deadline, so it can come
 * after that. The merchant is notified by the payment's own events only: such a schedule raises
 * none.
 */
export const settleForgottenPeriods: CompletionHook = async (trx, completions) => {
  const paid = await lockPeriods(
    trx,
    completions.map(({ transactionId }) => transactionId),
  );
  if (paid.length === 0) return;
  const completedAt = new Map(completions.map((each) => [each.transactionId, each.completedAt]));
  const settling = paid.filter(isFirstForUnpaid);
  const excess = paid.filter((each) => !settling.includes(each));
  await together([
    settlePeriods(
      trx,
      settling.map((each) => ({ ...each, settled_at: completedAt.get(each.transaction_id) ?? 0 })),
    ),
    markExcess(trx, excess),
    raiseOperatorAlerts(trx, excess.map(toAlert)),
  ]);
};

// Helpers

interface PaidPeriod {
  readonly transaction_id: string;
  readonly schedule_id: string;
  readonly period_no: number;
  readonly status: string;
}

/**
 * Locked in key order, so that two batches cannot deadlock. The rows are read as they are after
 * waiting.
 */
async function lockPeriods(trx: Transaction<Database>, transactionIds: readonly string[]): Promise<PaidPeriod[]> {
  if (transactionIds.length === 0) return [];
  const { rows } = await sql<PaidPeriod>`
    select attempt.transaction_id, schedule_id, period_no, period.status
    from schedule_attempt as attempt cross join lateral ${actorStanding(sql`schedule_id`)} as actor
      join schedule_period as period using (schedule_id, period_no)
    where attempt.transaction_id = any(${transactionIds}::text[]) and actor.status = 'done'
    order by schedule_id, period_no, attempt.transaction_id for no key update of period`.execute(trx);
  return rows;
}

/** One payment settles a period; any other is excess. */
function isFirstForUnpaid(paid: PaidPeriod, place: number, all: readonly PaidPeriod[]): boolean {
  const before = all[place - 1];
  const isOfSame = before?.schedule_id === paid.schedule_id && before.period_no === paid.period_no;
  return paid.status === 'unpaid' && !isOfSame;
}

async function settlePeriods(
  trx: Transaction<Database>,
  periods: readonly (PaidPeriod & { readonly settled_at: UnixMs })[],
): Promise<void> {
  if (periods.length === 0) return;
  const column = <K extends keyof (typeof periods)[number]>(name: K) => periods.map((period) => period[name]);
  await sql`
    update schedule_period set status = 'paid', transaction_id = done.transaction_id,
      settled_at = to_timestamp(done.settled_at / 1000.0)
    from unnest(
      ${column('schedule_id')}::text[], ${column('period_no')}::int4[], ${column('transaction_id')}::text[],
      ${column('settled_at')}::int8[]
    ) as done (schedule_id, period_no, transaction_id, settled_at)
    where schedule_period.schedule_id = done.schedule_id and schedule_period.period_no = done.period_no`.execute(trx);
}

async function markExcess(trx: Transaction<Database>, excess: readonly PaidPeriod[]): Promise<void> {
  if (excess.length === 0) return;
  const ids = excess.map(({ transaction_id: id }) => id);
  await sql`update schedule_attempt set is_excess = true where transaction_id = any(${ids}::text[])`.execute(trx);
}

function toAlert({ transaction_id: actorId, schedule_id, period_no }: PaidPeriod): OperatorAlert {
  const detail = `Period ${period_no} of schedule ${schedule_id} was paid before: this payment is one too many`;
  return { actorId, alert: 'period_paid_twice', detail };
}
