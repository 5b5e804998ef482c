import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CrashPoint } from '../../../src/platform/engine/index.ts';
import {
  CRASH_POINTS,
  createEngine,
  createKindRegistry,
  readJournal,
  replay,
} from '../../../src/platform/engine/index.ts';
import type { ChildOrder } from '../../support/children/engine.ts';
import { createTestClock } from '../../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { bundle } from '../../support/run/bundled.ts';
import { describeWith } from '../../support/run/components.ts';
import { level } from '../../support/run/level.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable, readTotal } from '../../support/service/engine-charts.ts';
import { deleteStream, provideNats, type TestNats, uniquePrefix } from '../../support/service/nats.ts';
import { silentLog } from '../../support/silent-log.ts';

const LEDGERS = 4;
/**
 * Three of the five bookings are of 1, and two forward 10 to the next ledger; each ledger receives
 * as much from the previous one. /
 */
const TOTAL = 3 * 1 + 2 * 10 + 2 * 10;
/** Each ledger: five bookings, two forwarded to it, one reminder. */
const ANNOUNCEMENTS_PER_LEDGER = 5 + 2 + 1;
/** All leases of a dead process have expired by then. */
const LEASES_END_MS = 61_000;
const CHILD_TIMEOUT_MS = 60_000;

const nats = provideNats();
const kinds = createKindRegistry([createLedgerKind()]);

afterAll(() => nats.cleanUp());
/**
 * Points that may be passed only once: one round leases all timers, and on a busy machine one
 * statement deletes all messages.
 */
const PASSED_ONCE: ReadonlySet<CrashPoint> = new Set(['timers.after_lease', 'outbox.after_delete']);

/** The deaths of successive processes on one database. */
type Life = readonly (readonly [point: CrashPoint, pass: number])[];

/** Every crash point, early and in the middle of the work; two processes die on each database. */
const LIVES_AT_QUICK: readonly Life[] = [
  [
    ['engine.half_written', 3],
    ['receive.before_deliver', 2],
  ],
  [
    ['engine.before_commit', 3],
    ['receive.after_commit', 2],
  ],
  [
    ['engine.after_commit', 3],
    ['outbox.before_publish', 2],
  ],
  [
    ['timers.after_lease', 1],
    ['timers.after_publish', 1],
  ],
  [
    ['outbox.after_publish', 3],
    ['outbox.after_delete', 1],
  ],
];

// Early and in the middle of the work.
describeCrashes('with the in-process bus', null, level.pick({ quick: LIVES_AT_QUICK, full: livesOf([1, 3]) }));
if (level.isFull) describeCrashes('with NATS', nats, livesOf([2]));

test('the histories of the quick level cover every crash point', () => {
  expect(new Set(LIVES_AT_QUICK.flat().map(([point]) => point))).toEqual(new Set(CRASH_POINTS));
});

describePostgres('the crash point engine.after_commit', () => {
  test('is reached once other connections can read what was committed', async () => {
    const database = await createPostgresDatabase({ poolSize: 2 });
    await createLedgerTable(database);
    const actorId = newActorId();
    const reads: ReturnType<typeof readJournal>[] = [];
    const engine = createEngine({
      db: database.db,
      kinds,
      clock: createTestClock(),
      log: silentLog,
      crash(point) {
        if (point === 'engine.after_commit') reads.push(readJournal(database.db, actorId));
      },
    });
    await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    await engine.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 1 } });
    expect((await Promise.all(reads)).map((journal) => journal.length)).toEqual([1, 2]);
    await database.drop();
  });
});

/** A life for each crash point and pass, with one death. */
function livesOf(passes: readonly number[]): readonly Life[] {
  return CRASH_POINTS.flatMap((point) => (PASSED_ONCE.has(point) ? [1] : passes).map((pass): Life => [[point, pass]]));
}

function describeCrashes(name: string, broker: TestNats | null, lives: readonly Life[]): void {
  const describeSuite = broker === null ? describePostgres : describeWith('postgres', 'nats');
  describeSuite(`${name}, a process killed`, () => {
    let child = '';
    beforeAll(async () => {
      child = await bundle('test/support/children/engine.ts');
    });

    const cases = lives.map(
      (life) => [life.map(([point, pass]) => `${point}, pass ${pass}`).join('; '), life] as const,
    );
    test.each(cases)('at %s, loses nothing and repeats nothing', async (_, life) => {
      const database = await createPostgresDatabase({ poolSize: 2 });
      // A separate stream: messages left over from an earlier case would go to unknown actors.
      const prefix = uniquePrefix();
      try {
        await createLedgerTable(database);
        await sql`create table test_announcement (id text primary key, data jsonb not null, times int8 not null default 1)`.execute(
          database.db,
        );
        const ledgers = Array.from({ length: LEDGERS }, newActorId);
        const order: Omit<ChildOrder, 'crash' | 'clockAheadMs'> = {
          databaseUrl: database.url ?? '',
          nats: broker === null ? null : { url: broker.url, prefix },
          ledgers,
          announcements: LEDGERS * ANNOUNCEMENTS_PER_LEDGER,
        };
        for (const [index, [point, pass]] of life.entries()) {
          const killed = await run(child, { ...order, crash: { point, pass }, clockAheadMs: index * LEASES_END_MS });
          expect(killed, point).toMatchObject({ signal: 'SIGKILL' });
        }
        const resumed = await run(child, { ...order, crash: null, clockAheadMs: life.length * LEASES_END_MS });
        expect(resumed).toEqual({ code: 0, signal: null, errors: '' });
        await checkEndState(database, ledgers);
      } finally {
        await database.drop();
        if (broker !== null) await deleteStream(broker.url, prefix);
      }
    });
  });
}

async function checkEndState(database: TestDatabase, ledgers: readonly string[]): Promise<void> {
  const expected: string[] = [];
  for (const actorId of ledgers) {
    const journal = await readJournal(database.db, actorId);
    expect(journal.map((entry) => entry.sequence)).toEqual(journal.map((_, index) => index + 1));
    expect(new Set(journal.map((entry) => entry.eventId)).size).toBe(journal.length);
    expect(journal.every((entry) => entry.outcome === 'started' || entry.outcome === 'applied')).toBe(true);
    // start, remind, five bookings, two forwarded ones, one reminder
    expect(journal).toHaveLength(2 + ANNOUNCEMENTS_PER_LEDGER);
    expect((await replay(database.db, kinds, actorId))?.equal).toBe(true);
    expect(await readTotal(database, actorId)).toBe(TOTAL);
    for (const { sequence, event } of journal) {
      if (['book', 'forward', 'timer.reminder_due'].includes(event.type)) expected.push(`${actorId}:${sequence}:0`);
    }
  }
  const { rows } = await sql<{ id: string }>`select id from test_announcement`.execute(database.db);
  expect(rows.map(({ id }) => id).sort()).toEqual(expected.sort());
  expect(await database.db.selectFrom('dead_letter').selectAll().execute()).toEqual([]);
}

async function run(
  child: string,
  order: ChildOrder,
): Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }> {
  const running = spawn(process.execPath, [child, JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: CHILD_TIMEOUT_MS,
    killSignal: 'SIGTERM',
  });
  let errors = '';
  running.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const [code, signal] = (await once(running, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, errors };
}
