import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../machines/index.ts';
import { upsertMerchant } from '../../src/merchants/index.ts';
import { createEngine, createKindRegistry, type Engine, replay } from '../../src/platform/engine/index.ts';
import type { ChildOrder } from '../support/children/recurring.ts';
import { createTestClock, START_MS } from '../support/clock.ts';
import { createPostgresDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { startSmtp, type TestSmtp } from '../support/outside/smtp.ts';
import { POLLING } from '../support/polling.ts';
import { bundle } from '../support/run/bundled.ts';
import { describeWith } from '../support/run/components.ts';
import { level } from '../support/run/level.ts';
import { deleteStream, provideNats, uniquePrefix } from '../support/service/nats.ts';
import { recurringKinds } from '../support/service/recurring.ts';
import { silentLog } from '../support/silent-log.ts';
import { checkArrivals } from './arrivals.ts';
import { checkRows } from './fold.ts';
import { SCHEDULE_DETAILS } from './schedule-details.ts';

const SCHEDULES = level.pick({ quick: 48, full: 120 });
const DUE = START_MS + DAY_MS;
/** Kill the processes when this many emails of the period have arrived. */
const ENOUGH_TO_KILL = SCHEDULES / 4;
/** Upper bound per process. */
const MAILS_IN_HAND = 4;
/** Longer than any lease of a process. */
const LATER_MS = 10 * MINUTE_MS;

const nats = provideNats();
const clock = createTestClock();
const kinds = createKindRegistry(recurringKinds(clock));

afterAll(() => nats?.cleanUp());

describeWith('postgres', 'nats')('two processes with schedules due at the same moment', () => {
  let program = '';
  let database: TestDatabase;
  let smtp: TestSmtp;
  let workers: Worker[] = [];
  let bus: ChildOrder['nats'];

  beforeAll(async () => {
    program = await bundle('test/support/children/recurring.ts');
  });
  beforeEach(async () => {
    [database, smtp] = await Promise.all([createPostgresDatabase(), startSmtp({ isPlain: true })]);
    bus = { url: nats?.url ?? '', prefix: uniquePrefix() };
    await startSchedules(database);
  });
  afterEach(async () => {
    await killAll();
    await smtp.close();
    await database.drop();
    if (bus !== null) await deleteStream(bus.url, bus.prefix);
  });

  /** Starts two processes, which begin when both are ready. */
  async function startTwo(now: number): Promise<void> {
    const order = { databaseUrl: database.url ?? '', nats: bus, smtpPort: smtp.port, now, scenario: null, crash: null };
    workers = [startWorker(program, order), startWorker(program, order)];
    await Promise.all(workers.map(({ ready }) => ready));
  }
  async function killAll(): Promise<void> {
    const dying = workers.map(({ child }) => once(child, 'close'));
    for (const { child } of workers) child.kill('SIGKILL');
    workers = [];
    await Promise.all(dying);
  }
  function mailsOfPeriod(): number {
    return smtp.mails.filter(({ subject }) => subject?.startsWith('Payment request:')).length;
  }
  /** All customers confirm; then the period falls due for all of them. */
  async function fallDue(): Promise<void> {
    await startTwo(START_MS);
    await vi.waitFor(async () => expect(await countSent(database)).toBe(SCHEDULES), POLLING);
    for (const { child } of workers) child.send(DUE);
  }
  async function checkAll(): Promise<Awaited<ReturnType<typeof checkArrivals>>> {
    const { db } = database;
    await vi.waitFor(async () => expect(await leftToDo(database, DUE)).toBe(0), POLLING);
    const ids = (await db.selectFrom('schedule').select('id').execute()).map(({ id }) => id);
    expect(ids).toHaveLength(SCHEDULES);
    for (const id of ids) {
      const { context } = await checkRows(db, id);
      expect(context).toMatchObject({ lastPeriodNo: 1, current: { periodNo: 1, dueAt: DUE, remindersSent: 0 } });
      expect((await replay(db, kinds, id))?.equal).toBe(true);
    }
    expect(await db.selectFrom('dead_letter').selectAll().execute()).toEqual([]);
    const arrivals = await checkArrivals(database, smtp);
    const expected = ids.flatMap((id) => [`${id}:confirmation:0`, `${id}:period:1:0`]);
    expect(arrivals.map(({ step }) => step).sort()).toEqual(expected.sort());
    return arrivals;
  }

  // At the quick level the next test covers this, and for two workers
  // test/mail/mail-worker.test.ts.
  if (level.isFull) {
    test('send every customer exactly one email', async () => {
      await fallDue();
      const arrivals = await checkAll();
      expect(arrivals.filter(({ times, uncertainTries }) => times !== 1 || uncertainTries !== 0)).toEqual([]);
      for (const { sent } of workers) expect(sent()).toBeGreaterThan(0);
    });
  }

  test('send exactly one even if both are killed in the middle and two others take over', async () => {
    await fallDue();
    await vi.waitFor(() => expect(mailsOfPeriod()).toBeGreaterThanOrEqual(ENOUGH_TO_KILL), POLLING);
    await killAll();
    expect(mailsOfPeriod()).toBeLessThan(SCHEDULES);
    await startTwo(DUE + LATER_MS);
    const arrivals = await checkAll();
    // A killed process has few emails in flight, counted as uncertain; no other arrived twice.
    const uncertain = arrivals.filter(({ uncertainTries }) => uncertainTries > 0);
    expect(uncertain.length).toBeLessThanOrEqual(2 * MAILS_IN_HAND);
  });
});

// Helpers

interface Worker {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  /** Number of emails that the process says the server has accepted. */
  sent(): number;
}

function startWorker(program: string, order: ChildOrder): Worker {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const child = spawn(process.execPath, [program, JSON.stringify(order)], { stdio: [...stdio] });
  let sent = 0;
  const ready = new Promise<void>((resolve, reject) => {
    child.on('exit', () => reject(new Error('a process has ended before it was ready')));
    child.on('message', (message) => {
      if (message === 'ready') resolve();
      else sent = Number(message);
    });
  });
  return { child, ready, sent: () => sent };
}

/**
 * Live schedules of different customers, confirmed, whose first period is due at one time. Their
 * emails wait to be sent.
 */
async function startSchedules({ db }: TestDatabase): Promise<void> {
  // Postgres is not killed here, so commits need not wait for the disk.
  await sql`do $$ begin
    execute format('alter database %I set synchronous_commit = off', current_database());
  end $$`.execute(db);
  const shop = { name: 'Corner shop', email: 'owner@shop.example', plan: 'unlimited', settings: {} };
  const { id: merchantId } = await db.transaction().execute((trx) => upsertMerchant(trx, shop));
  const engine = createEngine({ db, kinds, clock, log: silentLog });
  await Promise.all(Array.from({ length: SCHEDULES }, (_, index) => startSchedule(engine, merchantId, index)));
  await engine.drain();
}

async function startSchedule(engine: Engine, merchantId: string, index: number): Promise<void> {
  const actorId = randomUUID();
  await engine.start({
    kind: 'schedule',
    actorId,
    startKey: null,
    input: { scheduleId: actorId, interval: 'monthly', startAt: DUE, maxPeriods: null },
    attachment: { ...SCHEDULE_DETAILS, merchantId, customerEmail: `customer-${index}@customers.example` },
  });
  await engine.deliver({ actorId, eventId: 'customer.confirmed', event: { type: 'customer.confirmed' } });
}

async function countSent({ db }: TestDatabase): Promise<number> {
  return (await db.selectFrom('mail').select('id').where('state', '=', 'sent').execute()).length;
}

async function leftToDo({ db }: TestDatabase, now: number): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select ((select count(*) from outbox_message) + (select count(*) from mail where state = 'queued')
      + (select count(*) from timer where fires_at <= ${new Date(now)}))::int4 as left`.execute(db);
  return rows[0]?.left ?? 0;
}
