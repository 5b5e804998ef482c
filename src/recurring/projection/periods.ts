import { sql, type Transaction } from 'kysely';
import { periodDueAt, type ScheduleEffects, type UnixMs } from '../../../machines/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import type { PeriodStatus } from '../schedule.ts';
import type { ScheduleStep } from '../schedule-step.ts';

/** Writes the periods that these steps have requested, skipped, sent reminders for or settled. */
export async function savePeriods(trx: Transaction<Database>, steps: readonly ScheduleStep[]): Promise<void> {
  const periods = new Map<string, Period>();
  for (const change of steps.flatMap(changesOf)) {
    const key = `${change.schedule_id} ${change.period_no}`;
    periods.set(key, { ...(periods.get(key) ?? UNCHANGED), ...change });
  }
  const all = [...periods.values()];
  await insertPeriods(
    trx,
    all.filter(({ is_new }) => is_new),
  );
  await updatePeriods(
    trx,
    all.filter(({ is_new }) => !is_new),
  );
}

// Helpers

/** Changes to a period; null leaves the column unchanged. */
interface Period {
  readonly schedule_id: string;
  readonly period_no: number;
  readonly is_new: boolean;
  readonly status: PeriodStatus | null;
  readonly due_at: UnixMs | null;
  readonly requested_at: UnixMs | null;
  readonly reminders_sent: number | null;
  readonly settled_at: UnixMs | null;
  readonly transaction_id: string | null;
}

type PeriodChange = Partial<Period> & Pick<Period, 'schedule_id' | 'period_no'>;

const UNCHANGED = {
  is_new: false,
  status: null,
  due_at: null,
  requested_at: null,
  reminders_sent: null,
  settled_at: null,
  transaction_id: null,
} as const;

function changesOf(step: ScheduleStep): PeriodChange[] {
  return step.effects.flatMap((effect) => {
    switch (effect.type) {
      case 'requestPeriod':
        return [requested(step, effect.params as ScheduleEffects['requestPeriod'])];
      case 'skipPeriods':
        return skipped(step, effect.params as ScheduleEffects['skipPeriods']);
      case 'sendMail':
        return reminded(step, effect.params as ScheduleEffects['sendMail']);
      case 'settlePeriod':
        return [settled(step, effect.params as ScheduleEffects['settlePeriod'])];
      default:
        return [];
    }
  });
}

function requested(step: ScheduleStep, { periodNo, dueAt }: ScheduleEffects['requestPeriod']): PeriodChange {
  const { actorId: schedule_id, at, context } = step;
  const { current } = context;
  const requested_at = current?.periodNo === periodNo ? current.requestedAt : at;
  return { schedule_id, period_no: periodNo, is_new: true, status: 'awaited', due_at: dueAt, requested_at };
}

function skipped({ actorId, context }: ScheduleStep, { from, to }: ScheduleEffects['skipPeriods']): PeriodChange[] {
  const { anchor, interval } = context;
  if (anchor === null) return [];
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const period_no = from + index;
    const due_at = periodDueAt(anchor, interval, period_no);
    return { schedule_id: actorId, period_no, is_new: true, status: 'skipped', due_at };
  });
}

function reminded({ actorId }: ScheduleStep, email: ScheduleEffects['sendMail']): PeriodChange[] {
  if (email.kind !== 'request') return [];
  return [{ schedule_id: actorId, period_no: email.periodNo, reminders_sent: email.step }];
}

function settled({ actorId, at }: ScheduleStep, params: ScheduleEffects['settlePeriod']): PeriodChange {
  const { periodNo, outcome, transactionId } = params;
  return {
    schedule_id: actorId,
    period_no: periodNo,
    status: outcome,
    settled_at: at,
    ...(transactionId === null ? {} : { transaction_id: transactionId }),
  };
}

const PERIOD_COLUMNS = {
  text: ['schedule_id', 'status', 'transaction_id'],
  int4: ['period_no', 'reminders_sent'],
  timestamptz: ['due_at', 'requested_at', 'settled_at'],
} as const;

async function insertPeriods(trx: Transaction<Database>, periods: readonly Period[]): Promise<void> {
  if (periods.length === 0) return;
  await sql`
    insert into schedule_period (schedule_id, period_no, status, due_at, requested_at, reminders_sent, settled_at,
      transaction_id)
    select schedule_id, period_no, status, due_at, requested_at, coalesce(reminders_sent, 0), settled_at, transaction_id
    from ${unnestRows('fresh', PERIOD_COLUMNS, periods)}`.execute(trx);
}

async function updatePeriods(trx: Transaction<Database>, periods: readonly Period[]): Promise<void> {
  if (periods.length === 0) return;
  await sql`
    update schedule_period set status = coalesce(next.status, schedule_period.status),
      reminders_sent = coalesce(next.reminders_sent, schedule_period.reminders_sent),
      settled_at = coalesce(next.settled_at, schedule_period.settled_at),
      transaction_id = coalesce(next.transaction_id, schedule_period.transaction_id)
    from ${unnestRows('next', PERIOD_COLUMNS, periods)}
    where schedule_period.schedule_id = next.schedule_id and schedule_period.period_no = next.period_no`.execute(trx);
}
