import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../machines/index.ts';
import { createRateLimiter, type RateVerdict } from '../../src/merchants/index.ts';
import { countRequests } from '../../src/merchants/limits/request-windows.ts';
import { connect, type Database } from '../../src/platform/db/index.ts';
import { createTestClock, type TestClock } from '../support/clock.ts';
import { createDatabaseLine } from '../support/database/database-line.ts';
import { createPostgresDatabase, describeDatabases, describePostgres } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { createRateModel } from './rate-model.ts';

const LIMITS = { perMinute: 3, perHour: 5 };
/** Maximum clock difference of two processes in these tests. */
const SKEW_MS = 90 * SECOND_MS;

const step = fc.record({
  /** Time since the previous step. */
  ms: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 30 * SECOND_MS }),
    fc.constantFrom(MINUTE_MS, MINUTE_MS - 1, HOUR_MS, 2 * HOUR_MS),
  ),
  process: fc.constantFrom(0, 1),
  limits: fc.oneof(
    { weight: 5, arbitrary: fc.constant(LIMITS) },
    { weight: 1, arbitrary: fc.constantFrom({ perMinute: 1, perHour: 9 }, { perMinute: 6, perHour: 4 }) },
  ),
  /** Senders of the concurrent requests, in order. */
  senders: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 8 }),
});

let runs = 0;
let clocks = 0;

describeDatabases('request limits', (database) => {
  test('match a model of all requests, for any client, time and process', async () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 14 });
    const skew = fc.integer({ min: 0, max: SKEW_MS });
    await assertAsyncProperty(
      fc.asyncProperty(steps, skew, async (all, skewMs) => {
        runs += 1;
        const clock = laterClock();
        const processes = [clock, { now: () => clock.now() + skewMs }].map((its) => {
          return { clock: its, limiter: createRateLimiter({ db: database().db, clock: its }) };
        });
        const model = createRateModel();
        for (const { ms, process, limits, senders } of all) {
          clock.advance(ms);
          const { limiter, clock: its } = processes[process] ?? processAt(process);
          const subjects = senders.map((sender) => `run ${runs} ${sender}`);
          const verdicts = await Promise.all(subjects.map((subject) => limiter.count(subject, limits)));
          expect(verdicts).toEqual(subjects.map((subject) => model(subject, limits, its.now())));
        }
      }),
      { numRuns: level.runs(150) },
    );
  });

  test('a rejected request uses up neither window', async () => {
    const { limiter, clock, count } = counting('refused');
    for (let taken = 0; taken < 3; taken += 1) expect(await count()).toMatchObject({ rejection: null });
    for (let rejected = 0; rejected < 10; rejected += 1) {
      expect(await count()).toMatchObject({ remaining: 0, rejection: { window: 'minute', limit: 3 } });
    }
    clock.advance(MINUTE_MS);
    // Two of this hour's five are left: the ten rejected ones do not count.
    expect((await Promise.all([1, 2, 3].map(() => limiter.count('refused', LIMITS)))).map(outcome)).toEqual([
      'taken',
      'taken',
      'hour',
    ]);
    expect(await count()).toMatchObject({ remaining: 1, rejection: { window: 'hour', limit: 5 } });
  });

  test('a rejection reports how long the full window stays full', async () => {
    const { clock, count } = counting('waiting');
    for (let taken = 0; taken < 3; taken += 1) await count();
    clock.advance(MINUTE_MS - 1 - (clock.now() % MINUTE_MS));
    expect((await count()).rejection).toEqual({ window: 'minute', limit: 3, retryAfterMs: 1 });
    clock.advance(1);
    await count();
    await count();
    const { rejection } = await count();
    expect(rejection).toEqual({ window: 'hour', limit: 5, retryAfterMs: HOUR_MS - (clock.now() % HOUR_MS) });
    clock.advance(rejection?.retryAfterMs ?? 0);
    expect(await count()).toMatchObject({ remaining: 2, rejection: null });
  });

  test('a clock that was a day ahead for a moment locks no client out', async () => {
    const { clock, count } = counting('astray');
    const ahead = createRateLimiter({ db: database().db, clock: { now: () => clock.now() + DAY_MS } });
    for (let sent = 0; sent < 9; sent += 1) await ahead.count('astray', LIMITS);
    expect(await count()).toMatchObject({ remaining: 2, rejection: null });
  });

  test('counting does not wait for the disk, and what follows on its connection does', async () => {
    const settingOf = async (db: Kysely<Database>) =>
      (await sql<{ value: string }>`select current_setting('synchronous_commit') as value`.execute(db)).rows[0]?.value;
    const requests = [{ subject: 'unflushed', requested: 1, ...LIMITS }];
    const { db } = database();
    await db.connection().execute(async (connection) => {
      // Databases of tests are set up not to wait at all.
      await sql`set synchronous_commit = on`.execute(connection);
      await countRequests(connection, requests, { minute: 1, hour: 1 });
      expect(await settingOf(connection)).toBe('on');
      await connection.transaction().execute(async (trx) => {
        await countRequests(trx, requests, { minute: 1, hour: 1 });
        expect(await settingOf(trx)).toBe('off');
      });
      await sql`reset synchronous_commit`.execute(connection);
    });
  });

  test('counts of past hours are deleted', async () => {
    const { clock, limiter } = counting('now');
    await Promise.all(Array.from({ length: 200 }, (_, index) => limiter.count(`visitor ${index}`, LIMITS)));
    const kept = () =>
      database().db.selectFrom('request_count').select('subject').where('subject', 'like', 'visitor %').execute();
    expect(await kept()).toHaveLength(200);
    clock.advance(HOUR_MS);
    await limiter.count('now', LIMITS);
    clock.advance(HOUR_MS);
    await limiter.count('now', LIMITS);
    await expect.poll(kept, POLLING).toEqual([]);
  });

  function counting(subject: string) {
    const clock = laterClock();
    const limiter = createRateLimiter({ db: database().db, clock });
    return { clock, limiter, count: () => limiter.count(subject, LIMITS) };
  }
});

describePostgres('request limits in two processes', () => {
  test('allow exactly the limit under concurrent requests', async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 8 });
    try {
      const clock = createTestClock();
      const limiters = [database, other].map(({ db }) => createRateLimiter({ db, clock }));
      const subjects = ['a', 'b', 'c', 'd'];
      const limits = { perMinute: 70, perHour: 1_000 };
      // Spread over many event loop turns, so that many statements of both are in flight at once.
      const all = await Promise.all(
        Array.from({ length: 100 }, async (_, turn) => {
          for (let waited = 0; waited < turn % 10; waited += 1) await new Promise(setImmediate);
          const order = turn % 2 === 0 ? subjects : subjects.toReversed();
          const sent = limiters.flatMap((limiter) => order.map((subject) => ({ subject, limiter })));
          return Promise.all(
            sent.map(async ({ subject, limiter }) => ({ subject, verdict: await limiter.count(subject, limits) })),
          );
        }),
      );
      for (const subject of subjects) {
        const verdicts = all.flat().flatMap((each) => (each.subject === subject ? [each.verdict] : []));
        const taken = verdicts.filter(({ rejection }) => rejection === null);
        expect(verdicts).toHaveLength(200);
        // Each slot of the window was assigned once.
        expect(taken.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual(
          Array.from({ length: 70 }, (_, index) => 69 - index),
        );
      }
    } finally {
      await other.close();
      await database.drop();
    }
  });

  test('allow everything while the database is down, and count again when it is back', async () => {
    const database = await createPostgresDatabase();
    const { line: proxy, url } = await createDatabaseLine(database);
    const connection = await connect({ url, dataDir: null, poolSize: 2 });
    try {
      const limiter = createRateLimiter({ db: connection.db, clock: createTestClock() });
      await limiter.count('key', LIMITS);
      await proxy.cut();
      for (let sent = 0; sent < 9; sent += 1) {
        expect(await limiter.count('key', LIMITS)).toMatchObject({ limit: 3, remaining: 3, rejection: null });
      }
      await proxy.repair();
      await expect.poll(async () => (await limiter.count('key', LIMITS)).remaining, POLLING).toBe(0);
      expect(outcome(await limiter.count('key', LIMITS))).toBe('minute');
    } finally {
      await connection.close();
      await proxy.close();
      await database.drop();
    }
  });
});

// Helpers

/**
 * A clock that starts after all times of earlier tests: old windows are deleted during requests,
 * and a clock that went back would make this test's windows old.
 */
function laterClock(): TestClock {
  clocks += 1;
  return createTestClock(Date.UTC(2026, 0) + clocks * 30 * DAY_MS);
}

function outcome({ rejection }: RateVerdict): 'taken' | 'minute' | 'hour' {
  return rejection?.window ?? 'taken';
}

function processAt(index: number): never {
  throw new RangeError(`there is no process ${index}`);
}
