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
  /** Whether each email is still to be sent, by key, if none was sent. */
  readonly mails: ReadonlyMap<string, 'queued' | 'stored'>;
  /** Payments that completed after the schedule was done. */
  readonly missed: readonly ScheduleEffects['noteExcess'][];
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

  const mails = await db
    .selectFrom('mail')
    .select(['dedupe_key', 'state'])
    .where('actor_id', '=', scheduleId)
    .execute();
  expect(effects.filter(({ type }) => type === 'sendMail')).toHaveLength(life.mails.size);
  expect(mails.map(({ dedupe_key }) => dedupe_key).toSorted()).toEqual([...life.mails.keys()].toSorted());
  for (const { dedupe_key: key, state: mailState } of mails) {
    if (mailState !== 'sent') expect([key, mailState]).toEqual([key, life.mails.get(key)]);
  }

  const events = await db.selectFrom('webhook_event').select(['event', 'body']).execute();
  const own = events
    .map(({ event, body }) => ({ event, ...(JSON.parse(body) as { schedule_id?: string; sequence: number }) }))
    .filter(({ schedule_id }) => schedule_id === scheduleId)
    .toSorted((a, b) => a.sequence - b.sequence);
  const sent = effects.flatMap(({ type, params }) => (type === 'notifyMerchant' ? [params] : []));
  expect(own.map(({ event, sequence }) => [event, sequence])).toEqual(
    sent.map(({ event, sequence }) => [event, sequence]),
  );
  expect(sent.map(({ sequence }) => sequence)).toEqual(sent.map((_, index) => index + 1));
  return life;
}

// Helpers

/** Replays a schedule from its journal only, with XState's own functions. */
async function liveAgain(db: Db, scheduleId: string): Promise<Life> {
  const journal = await readJournal(db, scheduleId);
  expect(journal.map(({ sequence }) => sequence)).toEqual(journal.map((_, index) => index + 1));
  const effects: LivedEffect[] = [];
  const mails = new Map<string, 'queued' | 'stored'>();
  const missed: Life['missed'][number][] = [];
  let [snapshot, actions] = initialTransition(scheduleMachine, journal[0]?.event.input as never);
  let state = '';
  for (const entry of journal) {
    const before = state;
    if (entry.outcome === 'applied') [snapshot, actions] = transition(scheduleMachine, snapshot, entry.event as never);
    else if (entry.outcome !== 'started') {
      const { type, periodNo, transactionId } = entry.event as { type: string } & Life['missed'][number];
      if (state === 'forgotten' && type === 'payment.completed') missed.push({ periodNo, transactionId });
      continue;
    }
    state = entry.state;
    const lived = actions.map(({ type, params }) => ({ type, params, at: entry.at, before }) as LivedEffect);
    effects.push(...lived);
    sortMails(mails, { scheduleId, state, context: snapshot.context, effects: lived });
  }
  return { context: snapshot.context, state, effects, mails, missed };
}

/** Adds the emails of a step, and holds those that it makes untrue. */
function sortMails(
  mails: Map<string, 'queued' | 'stored'>,
  { scheduleId, state, context, effects }: Pick<Life, 'state' | 'context' | 'effects'> & { scheduleId: string },
): void {
  const { endedAs } = context;
  for (const { type, params } of effects) {
    if (type !== 'sendMail') continue;
    const name = params.kind === 'confirmation' ? 'confirmation' : `period:${params.periodNo}`;
    mails.set(`schedule:${scheduleId}:${name}:${params.step}`, 'queued');
  }
  const paid = effects.flatMap(({ type, params }) =>
    type === 'settlePeriod' && params.outcome === 'paid' ? [`:period:${params.periodNo}:`] : [],
  );
  for (const key of mails.keys()) {
    const isOver = endedAs !== null && endedAs !== 'finished';
    const isPausedReminder = state === 'paused' && /:period:\d+:[1-9]$/.test(key);
    if (isOver || isPausedReminder || paid.some((part) => key.includes(part))) mails.set(key, 'stored');
  }
}

/**
 * Numbers without gaps or repeats, calendar dates, each requested once, none while paused; and each
 * payment pays its period or is excess.
 */
async function checkPeriods(db: Db, scheduleId: string, { context, effects, missed }: Life): Promise<void> {
  const { anchor, interval, lastPeriodNo } = context;
  const periods = await db
    .selectFrom('schedule_period')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .orderBy('period_no')
    .execute();
  expect(periods.map(({ period_no }) => period_no)).toEqual(
    Array.from({ length: lastPeriodNo }, (_, index) => index + 1),
  );
  const requested = effects.flatMap((effect) => (effect.type === 'requestPeriod' ? [effect] : []));
  const numbers = requested.map(({ params }) => params.periodNo);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  for (const { before } of requested) expect(before).not.toBe('paused');
  const settled = effects.flatMap((effect) => (effect.type === 'settlePeriod' ? [effect.params] : []));
  const excess = effects.flatMap(({ type, params }) => (type === 'noteExcess' ? [params.transactionId] : []));
  for (const { periodNo, transactionId } of missed) {
    const isUnpaid = settled.findLast((each) => each.periodNo === periodNo)?.outcome === 'unpaid';
    if (isUnpaid) settled.push({ periodNo, outcome: 'paid', transactionId });
    else excess.push(transactionId);
  }
  const marked = await db
    .selectFrom('schedule_attempt')
    .select('transaction_id')
    .where('schedule_id', '=', scheduleId)
    .where('is_excess', '=', true)
    .execute();
  expect(marked.map(({ transaction_id: id }) => id).toSorted()).toEqual(excess.toSorted());
  for (const period of periods) {
    const { period_no: no } = period;
    expect(period.due_at).toBe(periodDueAt(anchor ?? Number.NaN, interval, no));
    const outcomes = settled.filter(({ periodNo }) => periodNo === no);
    const status = numbers.includes(no) ? (outcomes.at(-1)?.outcome ?? 'awaited') : 'skipped';
    expect([no, period.status, period.transaction_id]).toEqual([no, status, outcomes.at(-1)?.transactionId ?? null]);
    if (period.requested_at !== null) expect(period.requested_at).toBeGreaterThanOrEqual(period.due_at);
  }
}
