import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { attachTestWallets, upsertMerchant } from '../../src/merchants/index.ts';
import {
  CRASH_POINTS,
  type CrashPoint,
  createKindRegistry,
  readJournal,
  replay,
} from '../../src/platform/engine/index.ts';
import { newId } from '../../src/platform/ids.ts';
import type { ChildOrder } from '../support/children/recurring.ts';
import { createTestClock } from '../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { startSmtp, type TestSmtp } from '../support/outside/smtp.ts';
import { POLLING } from '../support/polling.ts';
import { bundle } from '../support/run/bundled.ts';
import { describeWith } from '../support/run/components.ts';
import { deleteStream, provideNats, type TestNats, uniquePrefix } from '../support/service/nats.ts';
import { recurringKinds } from '../support/service/recurring.ts';
import {
  CUSTOMERS,
  FIRST_DUE,
  type Phase,
  SCENARIO_BEGINS,
  SCENARIO_ENDS,
} from '../support/service/recurring-scenario.ts';
import { checkArrivals } from './arrivals.ts';
import { checkRows } from './fold.ts';

/**
 * Four customers live through three months in a process that is repeatedly killed (SIGKILL):
 * whatever is lost with it, rows, journals and emails must end as if nothing had happened.
 */

type Kill = readonly [Phase, CrashPoint];

/** Right after the commit that completes a payment, before its schedule is notified. */
const UNSENT: Kill = ['completed', 'engine.after_commit'];

/**
 * Two runs, in each of which the process dies at every crash point, in the order of the scenario.
 * Only payments send messages through the outbox: for verification, and to their schedule.
 */
const KILLS: { readonly [life: string]: readonly Kill[] } = {
  'early on': [
    ['start', 'engine.half_written'],
    ['start', 'engine.after_commit'],
    ['confirm', 'engine.before_commit'],
    ['period_due', 'timers.after_lease'],
    ['pay', 'outbox.before_publish'],
    ['completed', 'receive.before_deliver'],
    ['completed', 'outbox.after_publish'],
    ['completed', 'outbox.after_delete'],
    ['reminder_due', 'timers.after_publish'],
    ['unpaid_due', 'receive.after_commit'],
  ],
  'when something is done': [
    ['start', 'engine.before_commit'],
    ['confirm', 'engine.after_commit'],
    ['period_due', 'timers.after_publish'],
    UNSENT,
    ['completed', 'outbox.before_publish'],
    ['reminder_due', 'timers.after_lease'],
    ['reminder_due', 'receive.after_commit'],
    ['pay', 'outbox.after_publish'],
    ['period_due', 'receive.before_deliver'],
    ['completed', 'outbox.after_delete'],
    ['unpaid_due', 'engine.half_written'],
  ],
};

/** Each crash point once, mostly in other phases than above. */
const KILLS_WITH_NATS: readonly Kill[] = [
  ['confirm', 'engine.half_written'],
  ['period_due', 'receive.after_commit'],
  ['pay', 'engine.before_commit'],
  UNSENT,
  ['reminder_due', 'receive.before_deliver'],
  ['unpaid_due', 'timers.after_lease'],
  ['unpaid_due', 'outbox.before_publish'],
  ['period_due', 'timers.after_publish'],
  ['pay', 'outbox.after_publish'],
  ['completed', 'outbox.after_delete'],
];

const CHILD_TIMEOUT_MS = 60_000;
/** A life takes up to eleven processes. */
const LIFE_TIMEOUT_MS = 180_000;

const nats = provideNats();
const kinds = createKindRegistry(recurringKinds(createTestClock()));
const describeNats = describeWith('nats');

vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS, hookTimeout: LIFE_TIMEOUT_MS });
afterAll(() => vi.resetConfig());

let program = '';
let expected: Awaited<ReturnType<typeof outcomeOf>>;
let harness: Harness;

beforeAll(async () => {
  program = await bundle('test/support/children/recurring.ts');
});
afterAll(() => nats?.cleanUp());

// At the quick level, test/recurring/two-workers.test.ts kills processes with schedules, and
// test/platform/engine/crashes.test.ts kills at every point.
describePostgres('recurring payment requests in a process that is killed', () => {
  beforeAll(async () => {
    const undisturbed = await createHarness(null);
    try {
      await live(undisturbed, null);
      await checkEnd(undisturbed);
      expected = await outcomeOf(undisturbed);
    } finally {
      await undisturbed.remove();
    }
  });
  afterEach(() => harness?.remove());

  test('without a kill, follow the calendar and the customers', () => {
    expect(expected.sent).toEqual(SENT);
  });

  test.each(Object.entries(KILLS))('are killed %s at every point', (_life, kills) => {
    expect(new Set(kills.map(([, point]) => point))).toEqual(new Set(CRASH_POINTS));
  });

  test.each(Object.entries(KILLS))(
    'killed at each point in turn, %s, lose nothing and repeat nothing',
    async (_life, kills) => {
      harness = await createHarness(null);
      await runUntilKilled(harness, kills);
    },
  );

  test('killed between the acceptance by the mail server and the commit, resend that one email, and count it', async () => {
    harness = await createHarness(null);
    await live(harness, null, FIRST_DUE - 1);
    harness.smtp.plan({ at: 'hang' });
    const dying = spawnChild(harness, { scenario: { merchantId: harness.merchantId, until: SCENARIO_ENDS } });
    const { db } = harness.database;
    // The other emails are settled first, so that this kill leaves only one email uncertain.
    await vi.waitFor(async () => {
      const requests = db.selectFrom('mail').select('state').where('dedupe_key', 'like', '%:period:1:0');
      const states = (await requests.execute()).map(({ state }) => state);
      expect([harness.smtp.mails.length, ...states.toSorted()]).toEqual([4 + 3, 'queued', 'sent', 'sent']);
    }, POLLING);
    dying.kill('SIGKILL');
    await once(dying, 'close');
    harness.smtp.release();
    await live(harness, null);
    const arrivals = await checkEnd(harness);
    const twice = arrivals.filter(({ times, uncertainTries }) => times > 1 || uncertainTries > 0);
    expect(twice).toEqual([{ step: expect.stringMatching(/:period:1:0$/), times: 2, uncertainTries: 1 }]);
    expect(await outcomeOf(harness)).toEqual(expected);
  });

  describeNats('with NATS', () => {
    test('killed at every point in turn, lose nothing and repeat nothing', async () => {
      expect(new Set(KILLS_WITH_NATS.map(([, point]) => point))).toEqual(new Set(CRASH_POINTS));
      harness = await createHarness(nats ?? null);
      await runUntilKilled(harness, KILLS_WITH_NATS);
    });
  });
});

// Helpers

/** The merchant's notifications and the outcome of every period when no process dies. */
const SENT = {
  prompt: {
    end: 'finished',
    periods: ['paid 0', 'paid 0', 'paid 0'],
    events: ['confirmed', 'payment.completed 1', 'payment.completed 2', 'payment.completed 3'],
    mails: ['confirmation:0', 'period:1:0', 'period:2:0', 'period:3:0'],
  },
  late: {
    end: 'finished',
    periods: ['unpaid 2', 'paid 2', 'unpaid 2'],
    events: ['confirmed', 'payment.unpaid 1', 'payment.unpaid 2', 'payment.completed 2', 'payment.unpaid 3'],
    mails: ['confirmation:0', ...[1, 2, 3].flatMap((no) => [0, 1, 2].map((step) => `period:${no}:${step}`))],
  },
  leaving: {
    end: 'stopped_by_customer',
    periods: ['unpaid 1'],
    events: ['confirmed', 'stopped stopped_by_customer'],
    mails: ['confirmation:0', 'period:1:0', 'period:1:1'],
  },
  silent: { end: 'unconfirmed', periods: [], events: ['stopped unconfirmed'], mails: ['confirmation:0'] },
};

/** A merchant, its customers and their mail server, which outlive every process. */
interface Harness {
  readonly database: TestDatabase;
  readonly smtp: TestSmtp;
  readonly merchantId: string;
  readonly bus: ChildOrder['nats'];
  remove(): Promise<void>;
}

async function createHarness(broker: TestNats | null): Promise<Harness> {
  const [database, smtp] = await Promise.all([createPostgresDatabase({ poolSize: 2 }), startSmtp({ isPlain: true })]);
  // Postgres is not killed here, so commits need not wait for the disk.
  await sql`do $$ begin
    execute format('alter database %I set synchronous_commit = off', current_database());
  end $$`.execute(database.db);
  await attachTestWallets(database.db);
  const shop = { name: 'Corner shop', email: 'owner@shop.example', plan: 'unlimited', settings: {} };
  const { id: merchantId } = await database.db.transaction().execute((trx) => upsertMerchant(trx, shop));
  // Test schedules send mail only to addresses that can sign in.
  const logins = CUSTOMERS.map(({ name }) => ({
    id: newId('usr'),
    merchant_id: merchantId,
    email: `${name}@customers.example`,
    password_hash: '-',
  }));
  await database.db.insertInto('merchant_user').values(logins).execute();
  // Its own stream: unread messages of an earlier harness would address unknown actors.
  const bus = broker === null ? null : { url: broker.url, prefix: uniquePrefix() };
  return {
    database,
    smtp,
    merchantId,
    bus,
    async remove() {
      await smtp.close();
      await database.drop();
      if (bus !== null) await deleteStream(bus.url, bus.prefix);
    },
  };
}

/**
 * Runs the scenario in one process per kill and one more, and checks that it ends as if there were
 * no kills. /
 */
async function runUntilKilled(harness: Harness, kills: readonly Kill[]): Promise<void> {
  for (const kill of kills) {
    await live(harness, kill);
    if (kill === UNSENT) await checkUnsent(harness);
  }
  await live(harness, null);
  await checkEnd(harness);
  expect(await outcomeOf(harness)).toEqual(expected);
}

/** Continues the scenario in its own process, to its end or to the kill. */
async function live(harness: Harness, kill: Kill | null, until = SCENARIO_ENDS): Promise<void> {
  const crash = kill === null ? null : { phase: kill[0], point: kill[1] };
  const now = await whenLeasesAreOver(harness);
  const child = spawnChild(harness, { scenario: { merchantId: harness.merchantId, until }, crash, now });
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const end = kill === null ? { code: 0, signal: null } : { code: null, signal: 'SIGKILL' };
  expect({ code, signal, errors }, `${kill ?? 'to the end'}`).toEqual({ ...end, errors: '' });
}

function spawnChild({ database, smtp, bus }: Harness, order: Partial<ChildOrder>): ChildProcess {
  const whole = {
    databaseUrl: database.url,
    nats: bus,
    smtpPort: smtp.port,
    now: SCENARIO_BEGINS,
    crash: null,
    ...order,
  };
  return spawn(process.execPath, [program, JSON.stringify(whole)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: CHILD_TIMEOUT_MS,
    killSignal: 'SIGTERM',
  });
}

/** A time by which all leases of dead processes have expired, so that their work continues. */
async function whenLeasesAreOver({ database: { db } }: Harness): Promise<number> {
  const { rows } = await sql<{ at: number | null }>`
    select greatest(
      (select max(at) from journal_entry), (select max(leased_until) from timer where isfinite(leased_until)),
      (select max(next_try_at) from mail where is_leased)
    ) as at`.execute(db);
  return (rows[0]?.at ?? SCENARIO_BEGINS) + 1_000;
}

/** Everything about the schedules that a merchant or a customer can see, by customer name. */
async function outcomeOf({ database: { db } }: Harness) {
  const sent: Record<string, object> = {};
  const lives: Record<string, unknown> = {};
  for (const { id, reference, end_reason: end } of await schedulesOf(db)) {
    const periods = await db
      .selectFrom('schedule_period')
      .selectAll()
      .where('schedule_id', '=', id)
      .orderBy('period_no')
      .execute();
    const mails = await db.selectFrom('mail').select('dedupe_key').where('actor_id', '=', id).execute();
    sent[reference] = {
      end,
      periods: periods.map(({ status, reminders_sent }) => `${status} ${reminders_sent}`),
      events: await eventsOf(db, id),
      mails: mails.map(({ dedupe_key }) => dedupe_key.replace(`schedule:${id}:`, '')).sort(),
    };
    const journal = await readJournal(db, id);
    lives[reference] = journal.map(({ eventId, event: { type }, outcome, state }) => {
      return [eventId.replace(/txn_\w+/, 'txn'), type, outcome, state];
    });
  }
  return { sent, lives };
}

async function eventsOf(db: TestDatabase['db'], scheduleId: string): Promise<string[]> {
  const rows = await db.selectFrom('webhook_event').select('body').execute();
  return rows
    .map(({ body }) => JSON.parse(body) as Record<string, string | number>)
    .filter(({ schedule_id }) => schedule_id === scheduleId)
    .toSorted((a, b) => Number(a.sequence) - Number(b.sequence))
    .map(({ event, period_no = '', reason = '' }) =>
      `${event} ${period_no}${reason}`.slice('recurring.'.length).trim(),
    );
}

/**
 * Checks rows against journals, journals against snapshots, dates against the calendar, and emails
 * against the mail server.
 */
async function checkEnd({ database, smtp }: Harness): ReturnType<typeof checkArrivals> {
  const { db } = database;
  for (const { id } of await schedulesOf(db)) {
    await checkRows(db, id);
    const periods = db.selectFrom('schedule_period').select('due_at').where('schedule_id', '=', id);
    const dates = (await periods.orderBy('period_no').execute()).map(({ due_at }) => new Date(due_at).toISOString());
    expect(dates).toEqual(CALENDAR.slice(0, dates.length));
  }
  const actors = await db.selectFrom('actor').select(['id', 'kind']).execute();
  // Four schedules, and a payment for each of four periods.
  expect(actors.map(({ kind }) => kind).sort()).toEqual([
    ...Array(4).fill('schedule'),
    ...Array(4).fill('transaction'),
  ]);
  for (const { id } of actors) {
    const journal = await readJournal(db, id);
    expect(journal.map(({ sequence }) => sequence)).toEqual(journal.map((_, index) => index + 1));
    expect(new Set(journal.map(({ eventId }) => eventId)).size).toBe(journal.length);
    expect((await replay(db, kinds, id))?.equal).toBe(true);
  }
  expect(await db.selectFrom('schedule_attempt').select('is_excess').execute()).toEqual(
    Array(4).fill({ is_excess: false }),
  );
  expect(await db.selectFrom('dead_letter').selectAll().execute()).toEqual([]);
  return checkArrivals(database, smtp);
}

/** From 31 January: shorter months use their last day, and later ones the 31st again. */
const CALENDAR = ['2027-01-31T09:00:00.000Z', '2027-02-28T09:00:00.000Z', '2027-03-31T09:00:00.000Z'];

async function schedulesOf(db: TestDatabase['db']) {
  const rows = await db.selectFrom('schedule').select(['id', 'reference', 'end_reason']).execute();
  return rows.map(({ reference, ...row }) => ({ ...row, reference: reference ?? '' }));
}

/**
 * The first period's payment is completed, its schedule does not know yet, and the message that
 * will notify it is kept.
 */
async function checkUnsent({ database: { db } }: Harness): Promise<void> {
  const attempts = db
    .selectFrom('schedule_attempt')
    .innerJoin('transaction', 'transaction.id', 'schedule_attempt.transaction_id')
    .innerJoin('schedule_period', (join) =>
      join
        .onRef('schedule_period.schedule_id', '=', 'schedule_attempt.schedule_id')
        .onRef('schedule_period.period_no', '=', 'schedule_attempt.period_no'),
    )
    .select([
      'transaction.id',
      'transaction.status',
      'schedule_period.status as period',
      'schedule_period.schedule_id',
    ]);
  const [attempt, ...others] = await attempts.execute();
  expect([attempt?.status, attempt?.period, others]).toEqual(['completed', 'awaited', []]);
  const { schedule_id: scheduleId = '', id: transactionId } = attempt ?? {};
  const journal = await readJournal(db, scheduleId);
  expect(journal.filter(({ event }) => event.type === 'payment.completed')).toEqual([]);
  const messages = await db.selectFrom('outbox_message').select('data').execute();
  const commands = messages.map(({ data }) => data as { readonly actorId?: string });
  expect(commands.filter(({ actorId }) => actorId === scheduleId)).toEqual([
    {
      actorId: scheduleId,
      eventId: `payment:${transactionId}`,
      event: { type: 'payment.completed', periodNo: 1, transactionId },
    },
  ]);
}
