import { expect } from 'vitest';
import { initialTransition, transition } from 'xstate';
import {
  periodDueAt,
  type ScheduleContext,
  type ScheduleEffects,
  scheduleMachine,
  scheduleStatusOf,
} from '../../machines/index.ts';
import { readJournal } from '../../src/platform/engine/index.ts';
import type { TestDatabase } from '../support/database/test-database.ts';

type Db = TestDatabase['db'];

/** One effect of a schedule's life, with the leaf state that requested it. */
export type LivedEffect = {
  [E in keyof ScheduleEffects]: {
    readonly type: E;
    readonly params: ScheduleEffects[E];
    readonly at: number;
    readonly before: string;
  };
}[keyof ScheduleEffects];

export interface Life {
  readonly context: ScheduleContext;
  readonly state: string;
  readonly effects: readonly LivedEffect[];
}

/** Checks every row of a schedule against its journal: nothing missing, extra or duplicated. */
export async function checkRows(db: Db, scheduleId: string): Promise<Life> {
  const life = await liveAgain(db, scheduleId);
  const { context, effects, state } = life;
  const row = await db.selectFrom('schedule').selectAll().where('id', '=', scheduleId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    status: scheduleStatusOf(state, context),
    last_period_no: context.lastPeriodNo,
    confirmations_sent: context.confirmationsSent,
    ended_at: context.endedAt,
  });
  await checkPeriods(db, scheduleId, life);

  const mails = await db.selectFrom('mail').select('dedupe_key').where('actor_id', '=', scheduleId).execute();
  const letters = effects.flatMap(({ type, params }) => {
    if (type !== 'sendMail') return [];
    const name = params.kind === 'confirmation' ? 'confirmation' : `period:${params.periodNo}`;
    return [`schedule:${scheduleId}:${name}:${params.step}`];
  });
  expect(new Set(letters).size).toBe(letters.length);
  expect(mails.map(({ dedupe_key }) => dedupe_key).toSorted()).toEqual(letters.toSorted());

  const events = await db.selectFrom('webhook_event').select(['event', 'body']).execute();
  const own = events
    .map(({ event, body }) => ({ event, ...(JSON.parse(body) as { schedule_id?: string; sequence: number }) }))
    .filter(({ schedule_id }) => schedule_id === scheduleId)
    .toSorted((a, b) => a.sequence - b.sequence);
  const sent = effects.flatMap(({ type, params }) => (type === 'notifyMerchant' ? [params] : []));
  expect(own.map(({ event, sequence }) => [event, sequence])).toEqual(
    sent.map(({ event, sequence }) => [event, sequence]),
  );
  expect(sent.map(({ sequence }) => sequence)).toEqual(sent.map((_, place) => place + 1));
  return life;
}

// Helpers

/** Replays a schedule from its journal only, with XState's own functions. */
async function liveAgain(db: Db, scheduleId: string): Promise<Life> {
  const journal = await readJournal(db, scheduleId);
  expect(journal.map(({ sequence }) => sequence)).toEqual(journal.map((_, place) => place + 1));
  const effects: LivedEffect[] = [];
  let [snapshot, actions] = initialTransition(scheduleMachine, journal[0]?.event.input as never);
  let state = '';
  for (const entry of journal) {
    const before = state;
    if (entry.outcome === 'applied') [snapshot, actions] = transition(scheduleMachine, snapshot, entry.event as never);
    else if (entry.outcome !== 'started') continue;
    state = entry.state;
    for (const { type, params } of actions) effects.push({ type, params, at: entry.at, before } as LivedEffect);
  }
  return { context: snapshot.context, state, effects };
}

/** Numbers without gaps or repeats, calendar dates, each requested once, none while paused. */
async function checkPeriods(db: Db, scheduleId: string, { context, effects }: Life): Promise<void> {
  const { anchor, interval, lastPeriodNo } = context;
  const periods = await db
    .selectFrom('schedule_period')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .orderBy('period_no')
    .execute();
  expect(periods.map(({ period_no }) => period_no)).toEqual(
    Array.from({ length: lastPeriodNo }, (_, place) => place + 1),
  );
  const requested = effects.flatMap((effect) => (effect.type === 'requestPeriod' ? [effect] : []));
  const numbers = requested.map(({ params }) => params.periodNo);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  for (const { before } of requested) expect(before).not.toBe('paused');
  const settled = effects.flatMap((effect) => (effect.type === 'settlePeriod' ? [effect.params] : []));
  for (const period of periods) {
    const { period_no: no } = period;
    expect(period.due_at).toBe(periodDueAt(anchor ?? Number.NaN, interval, no));
    const outcomes = settled.filter(({ periodNo }) => periodNo === no);
    const status = numbers.includes(no) ? (outcomes.at(-1)?.outcome ?? 'awaited') : 'skipped';
    expect([no, period.status, period.transaction_id]).toEqual([no, status, outcomes.at(-1)?.transactionId ?? null]);
    if (period.requested_at !== null) expect(period.requested_at).toBeGreaterThanOrEqual(period.due_at);
  }
}
