import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, INTERVALS } from '../../machines/index.ts';
import { upsertMerchant } from '../../src/merchants/index.ts';
import { connect } from '../../src/platform/db/index.ts';
import {
  createEngine,
  createKindRegistry,
  dueTimersOf,
  type Engine,
  replay,
  timerCommand,
} from '../../src/platform/engine/index.ts';
import { createScheduleKind, createTokens } from '../../src/recurring/index.ts';
import { createTestClock, type TestClock } from '../support/clock.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { silentLog } from '../support/silent-log.ts';
import { checkRows } from './fold.ts';
import { SCHEDULE_DETAILS } from './schedule-details.ts';

/**
 * Whole schedules through the real engine and tables, with any decisions, payments, repeats and
 * reorderings, in either process, with clock jumps and any downtime.
 */

type Db = TestDatabase['db'];

const EVENTS = [
  'customer.confirmed',
  'customer.stopped',
  'merchant.paused',
  'merchant.resumed',
  'merchant.cancelled',
  'merchant.confirmation_resent',
  'mail.bounced',
  'payment.completed',
] as const;

interface Move {
  readonly type: (typeof EVENTS)[number] | null;
  /** Hours that pass before it; negative when the clock is set back. */
  readonly hours: number;
  /** All due timers fire only at the end, in any order; otherwise each when it is due. */
  readonly isAsleep: boolean;
  readonly pick: number;
}

const move: fc.Arbitrary<Move> = fc.record({
  type: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('payment.completed' as const, null) },
    { weight: 3, arbitrary: fc.constantFrom('merchant.paused' as const, 'merchant.resumed' as const) },
    { weight: 2, arbitrary: fc.constantFrom('customer.confirmed' as const, 'merchant.confirmation_resent' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...EVENTS) },
  ),
  hours: fc.oneof(fc.integer({ min: -30, max: 200 }), fc.integer({ min: 0, max: 3_000 })),
  isAsleep: fc.boolean(),
  pick: fc.nat({ max: 1_000 }),
});

const history = fc.record({
  interval: fc.constantFrom(...INTERVALS),
  startInHours: fc.option(fc.integer({ min: -100, max: 2_000 })),
  maxPeriods: fc.option(fc.oneof(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 12 }))),
  dayOfYear: fc.integer({ min: 0, max: 1_460 }),
  moves: fc.array(move, { minLength: 1, maxLength: 14, size: 'max' }),
});

describeDatabases('schedules through the engine', (database) => {
  it('have rows, emails and events that match their journal, for any sequence of events', async () => {
    const { db, kind } = database();
    await check(db, [db], level.runs(kind === 'postgres' ? 25 : 8));
  });
});

describePostgres('schedules through two processes on one Postgres', () => {
  it('have rows, emails and events that match their journal, whichever process receives the events', async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 4 });
    try {
      await check(database.db, [database.db, other.db], level.runs(20));
    } finally {
      await other.close();
      await database.drop();
    }
  });
});

// Helpers

let started = 0;

async function check(db: Db, connections: readonly Db[], numRuns: number): Promise<void> {
  const merchant = await db
    .transaction()
    .execute((trx) => upsertMerchant(trx, { name: 'Shop', email: 'shop@example.com', plan: 'starter', settings: {} }));
  await assertAsyncProperty(
    fc.asyncProperty(history, async ({ interval, startInHours, maxPeriods, dayOfYear, moves }) => {
      const clock = createTestClock(Date.UTC(2027, 0, 31, 9, 30) + dayOfYear * DAY_MS);
      const kinds = createKindRegistry([
        createScheduleKind({ publicUrl: 'https://pay.example', tokens: createTokens(new Uint8Array(32)), clock }),
      ]);
      const engines = connections.map((each) => createEngine({ db: each, kinds, clock, log: silentLog }));
      started += 1;
      const scheduleId = `00000000-0000-4000-8000-${String(started).padStart(12, '0')}${connections.length}`;
      const startAt = startInHours === null ? null : clock.now() + startInHours * HOUR_MS;
      await engines[0]?.start({
        kind: 'schedule',
        actorId: scheduleId,
        startKey: null,
        input: { scheduleId, interval, startAt, maxPeriods },
        attachment: { ...SCHEDULE_DETAILS, merchantId: merchant.id, customerEmail: `customer${started}@example.com` },
      });
      const play = { db, engines, clock, scheduleId };
      for (const [index, each] of moves.entries()) await makeMove(play, each, index);
      const { context, state } = await checkRows(db, scheduleId);
      expect((await replay(db, kinds, scheduleId))?.equal).toBe(true);
      const timers = await db
        .selectFrom('timer')
        .select(['name', 'due_at'])
        .where('actor_id', '=', scheduleId)
        .execute();
      expect(Object.fromEntries(timers.map((timer) => [timer.name, timer.due_at]))).toEqual(
        state === 'forgotten' ? {} : context.timers,
      );
    }),
    { numRuns },
  );
}

interface Play {
  readonly db: Db;
  readonly engines: readonly Engine[];
  readonly clock: TestClock;
  readonly scheduleId: string;
}

async function makeMove(play: Play, { type, hours, isAsleep, pick }: Move, index: number): Promise<void> {
  const { db, clock, scheduleId } = play;
  await passTime(play, clock.now() + hours * HOUR_MS, isAsleep ? pick : null);
  if (type === null) return;
  const { rows } = {
    rows: await db.selectFrom('schedule_period').select('period_no').where('schedule_id', '=', scheduleId).execute(),
  };
  const periodNo = rows.at(pick % Math.max(1, rows.length))?.period_no ?? 1;
  const transactionId = `txn_${scheduleId}_${index}`;
  const event = type === 'payment.completed' ? { type, periodNo, transactionId } : { type };
  // A payment for a period that was not requested cannot exist: only requested periods have a link.
  if (type === 'payment.completed') {
    if (!(await isRequested(db, scheduleId, periodNo))) return;
    const attempt = { transaction_id: transactionId, schedule_id: scheduleId, period_no: periodNo };
    await db.insertInto('schedule_attempt').values(attempt).execute();
  }
  await toEveryone(play, { actorId: scheduleId, eventId: `move:${index}`, event });
}

async function isRequested(db: Db, scheduleId: string, periodNo: number): Promise<boolean> {
  const row = await db
    .selectFrom('schedule_period')
    .select('status')
    .where('schedule_id', '=', scheduleId)
    .where('period_no', '=', periodNo)
    .executeTakeFirst();
  return row !== undefined && row.status !== 'skipped';
}

/** Delivers twice to each process at once, as a bus may. */
async function toEveryone({ engines }: Play, command: Parameters<Engine['deliver']>[0]): Promise<void> {
  const outcomes = await Promise.all([...engines, ...engines].map((engine) => engine.deliver(command)));
  expect(outcomes.filter(({ outcome }) => outcome !== 'duplicate').length).toBeLessThanOrEqual(1);
  for (const { outcome } of outcomes) expect(outcome).toMatch(/applied|ignored|duplicate/);
}

async function passTime(play: Play, until: number, pick: number | null): Promise<void> {
  const { db, clock, scheduleId } = play;
  if (pick !== null || until < clock.now()) clock.advance(until - clock.now());
  for (;;) {
    const due = await dueTimersOf(db, { actorId: scheduleId, now: Math.max(until, clock.now()) });
    const next = due[pick === null ? 0 : pick % due.length];
    if (next === undefined) break;
    clock.advance(Math.max(0, (next.dueAt ?? 0) - clock.now()));
    await toEveryone(play, timerCommand(next));
  }
  clock.advance(Math.max(0, until - clock.now()));
}
