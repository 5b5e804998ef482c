import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createNatsBus } from '../../../src/platform/bus/index.ts';
import { connect } from '../../../src/platform/db/index.ts';
import type { CrashPoint } from '../../../src/platform/engine/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { createDeadLetterPort, createTestBus, startRuntime } from '../service/engine.ts';
import { silentLog } from '../silent-log.ts';

/**
 * A process for tests that kill it: runs an engine over Postgres, does a fixed piece of work, and
 * kills itself with SIGKILL at the given pass of a crash point. Restarted without a crash point, it
 * repeats the same commands and exits when no work is left. Its one argument is a `ChildOrder` as
 * JSON.
 */
export interface ChildOrder {
  readonly databaseUrl: string;
  /** Null: the in-process bus. */
  readonly nats: { readonly url: string; readonly prefix: string } | null;
  readonly ledgers: readonly string[];
  readonly crash: { readonly point: CrashPoint; readonly pass: number } | null;
  /** Added to the wall clock, so that leases of a dead process have expired. */
  readonly clockAheadMs: number;
  /** Number of announcements when all work is done. */
  readonly announcements: number;
}

/** Bookings per ledger, with the same ids in every run. Their order does not change the total. */
export const BOOKINGS_PER_LEDGER = 5;

const POLL_MS = 10;
const ACK_WAIT_MS = 1_000;

const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder;
const connection = await connect({ url: order.databaseUrl, dataDir: null, poolSize: 4 });
const { db } = connection;
const deadLetter = createDeadLetterPort(connection);
const bus =
  order.nats === null
    ? createTestBus(connection)
    : createNatsBus({ ...order.nats, deadLetter, log: silentLog, ackWaitMs: ACK_WAIT_MS });
let passes = 0;
const runtime = await startRuntime({
  connection,
  bus,
  clock: { now: () => Date.now() + order.clockAheadMs },
  crash(point) {
    if (point !== order.crash?.point) return;
    passes += 1;
    if (passes === order.crash.pass) process.kill(process.pid, 'SIGKILL');
  },
  /** An idempotent receiver: it records the ids it has processed in the database. */
  async onAnnouncement(id, announcement) {
    await sql`insert into test_announcement (id, data) values (${id}, ${JSON.stringify(announcement)})
      on conflict (id) do update set times = test_announcement.times + 1`.execute(db);
  },
});

await Promise.all(order.ledgers.map(work));
while (!(await isDone())) await sleep(POLL_MS);
await runtime.stop();
await connection.close();

// Helpers

async function work(actorId: string, index: number): Promise<void> {
  const next = order.ledgers[(index + 1) % order.ledgers.length] ?? actorId;
  await persist(() => runtime.engine.start({ kind: 'ledger', actorId, startKey: `key-${actorId}`, input: {} }));
  const send = (eventId: string, event: { type: string }) =>
    persist(() => runtime.engine.deliver({ actorId, eventId, event }));
  await send('remind', { type: 'remind', inMs: 0 } as { type: string });
  for (let booking = 0; booking < BOOKINGS_PER_LEDGER; booking += 1) {
    const event = booking % 2 === 0 ? { type: 'book', amount: 1 } : { type: 'forward', amount: 10, to: next };
    await send(`e-${booking}`, event);
  }
}

async function persist(attempt: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
      await sleep(POLL_MS);
    }
  }
}

async function isDone(): Promise<boolean> {
  const { rows } = await sql<{ left: number; announced: number }>`
    select (select count(*) from outbox_message) + (select count(*) from timer) as left,
      (select count(*) from test_announcement) as announced`.execute(db);
  return rows[0]?.left === 0 && rows[0].announced >= order.announcements;
}
