import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Bus, BusMessage } from '../../../src/platform/bus/index.ts';
import { createEngine, createKindRegistry, createRelay } from '../../../src/platform/engine/index.ts';
import { RetryableError, TerminalError } from '../../../src/platform/errors.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeBothDatabases } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { createTestBus, newActorId, startRuntime } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

const clock = createTestClock();

describeBothDatabases('the outbox', (database) => {
  beforeAll(() => createLedgerTable(database()));
  beforeEach(async () => void (await database().db.deleteFrom('outbox_message').execute()));
  const waiting = async () =>
    (await database().db.selectFrom('outbox_message').select('id').orderBy('id').execute()).map(({ id }) => id);

  /** Commits without publishing, like a process that dies right after its commit. */
  const commitAndDie = async (amounts: readonly number[]) => {
    const kinds = createKindRegistry([createLedgerKind()]);
    const engine = createEngine({ db: database().db, kinds, clock, log: silentLog });
    const actorId = newActorId();
    await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    for (const [index, amount] of amounts.entries()) {
      await engine.deliver({ actorId, eventId: `e-${index}`, event: { type: 'book', amount } });
    }
    return actorId;
  };

  test('is emptied right after the commit: each message is published once and its row deleted', async () => {
    const hour = 3_600_000;
    const runtime = await startRuntime({ connection: database(), clock, unpublishedAfterMs: hour });
    const ids = Array.from({ length: 10 }, newActorId);
    await Promise.all(
      ids.flatMap((actorId) => [
        runtime.engine.start({ kind: 'ledger', actorId, startKey: null, input: {} }),
        runtime.engine.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 1 } }),
      ]),
    );
    await expect.poll(() => [...runtime.received.keys()].sort(), POLLING).toEqual(ids.map((id) => `${id}:2:0`).sort());
    await expect.poll(waiting, POLLING).toEqual([]);
    expect([...runtime.received.values()]).toEqual(ids.map(() => 1));
    await runtime.stop();
  });

  test('keeps the messages of a crashed process until a sweep of any process publishes them', async () => {
    const actorId = await commitAndDie([1, 2, 3]);
    expect(await waiting()).toHaveLength(3);
    const runtime = await startRuntime({ connection: database(), clock });
    await expect.poll(waiting, POLLING).toEqual([]);
    expect([...runtime.received]).toEqual([2, 3, 4].map((sequence) => [`${actorId}:${sequence}:0`, 1]));
    await runtime.stop();
  });

  test('keeps everything while the bus is down, and drains automatically when it is back', async () => {
    const inner = createTestBus(database());
    let isUp = false;
    const bus: Bus = {
      ...inner,
      publish: (message) => (isUp ? inner.publish(message) : Promise.reject(new RetryableError('DOWN', 'no broker'))),
    };
    const runtime = await startRuntime({ connection: database(), clock, bus });
    const actorId = newActorId();
    await runtime.engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    for (const eventId of ['e-1', 'e-2']) {
      expect((await runtime.engine.deliver({ actorId, eventId, event: { type: 'book', amount: 1 } })).outcome).toBe(
        'applied',
      );
    }
    expect(await waiting()).toHaveLength(2);
    expect(runtime.received.size).toBe(0);
    isUp = true;
    await expect.poll(waiting, POLLING).toEqual([]);
    expect([...runtime.received.values()]).toEqual([1, 1]);
    await runtime.stop();
  });

  test('does not republish what a slow receiver is still handling', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const runtime = await startRuntime({
      connection: database(),
      clock,
      unpublishedAfterMs: 0,
      onAnnouncement: () => gate,
    });
    const actorId = newActorId();
    await runtime.engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    await runtime.engine.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 1 } });
    await expect.poll(() => runtime.received.size, POLLING).toBe(1);
    // A message of another process is delivered in between, so sweeps have happened.
    const other = await commitAndDie([5]);
    await expect.poll(() => runtime.received.has(`${other}:2:0`), POLLING).toBe(true);
    expect(await waiting()).toEqual([`${actorId}:2:0`, `${other}:2:0`].sort());
    open();
    await expect.poll(waiting, POLLING).toEqual([]);
    expect([...runtime.received.values()]).toEqual([1, 1]);
    await runtime.stop();
  });

  test('does not publish again while the bus has not answered', async () => {
    const inner = createTestBus(database());
    const requested: string[] = [];
    let respond = () => {};
    const responded = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const bus: Bus = {
      ...inner,
      async publish(message) {
        requested.push(message.id);
        await responded;
        await inner.publish(message);
      },
    };
    const runtime = await startRuntime({ connection: database(), clock, bus, unpublishedAfterMs: 0 });
    const first = await commitAndDie([1]);
    await expect.poll(() => requested, POLLING).toEqual([`${first}:2:0`]);
    // A message of another process is found in between, so a sweep has happened.
    const second = await commitAndDie([2]);
    await expect.poll(() => requested, POLLING).toContain(`${second}:2:0`);
    respond();
    await expect.poll(waiting, POLLING).toEqual([]);
    expect(requested).toEqual([`${first}:2:0`, `${second}:2:0`]);
    await runtime.stop();
  });

  test('gives up a message that the bus rejects permanently: a dead letter, and the others continue', async () => {
    const inner = createTestBus(database());
    const reject = (message: BusMessage) => message.id.includes(':2:');
    const bus: Bus = {
      ...inner,
      publish: (message) =>
        reject(message) ? Promise.reject(new TerminalError('TOO_LARGE', 'never')) : inner.publish(message),
    };
    const runtime = await startRuntime({ connection: database(), clock, bus });
    const actorId = await commitAndDie([1, 2]);
    await expect.poll(waiting, POLLING).toEqual([]);
    expect([...runtime.received.keys()]).toEqual([`${actorId}:3:0`]);
    const { rows } = await sql`select queue, reason from dead_letter where message_id = ${`${actorId}:2:0`}`.execute(
      database().db,
    );
    expect(rows).toEqual([{ queue: 'announcements', reason: 'never' }]);
    await runtime.stop();
  });

  test('keeps a permanently rejected message as long as its dead letter cannot be stored', async () => {
    const { db } = database();
    const inner = createTestBus(database());
    let rejections = 0;
    const publish = () => {
      rejections += 1;
      return Promise.reject(new TerminalError('TOO_LARGE', 'never'));
    };
    const actorId = await commitAndDie([1]);
    await sql`alter table dead_letter rename to dead_letter_away`.execute(db);
    const runtime = await startRuntime({ connection: database(), clock, bus: { ...inner, publish } });
    try {
      // The second rejection proves that the message was still there for the next sweep.
      await expect.poll(() => rejections, POLLING).toBeGreaterThan(1);
      expect(await waiting()).toEqual([`${actorId}:2:0`]);
    } finally {
      await sql`alter table dead_letter_away rename to dead_letter`.execute(db);
    }
    await expect.poll(waiting, POLLING).toEqual([]);
    const { rows } = await sql`select reason from dead_letter where message_id = ${`${actorId}:2:0`}`.execute(db);
    expect(rows).toEqual([{ reason: 'never' }]);
    await runtime.stop();
  });

  test('stop() waits for a running sweep, and starts no other', async () => {
    // A period that nothing else waits for.
    const sweepEveryMs = 13;
    let sweeps = 0;
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const db = database().db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        sweeps += 1;
        await gate;
        return result;
      },
    });
    const relay = createRelay({ db, bus: createTestBus(database()), log: silentLog, sweepEveryMs });
    relay.start();
    await expect.poll(() => sweeps, POLLING).toBe(1);
    const timeouts = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timeouts.mockRestore());
    const stopped = relay.stop();
    goOn();
    await stopped;
    expect(timeouts.mock.calls.filter(([, ms]) => ms === sweepEveryMs)).toEqual([]);
  });

  test('stop() returns although a receiver never does, and its message stays for the next process', async () => {
    const bus = createTestBus(database());
    const relay = createRelay({ db: database().db, bus, log: silentLog });
    const actorId = await commitAndDie([1]);
    await bus.subscribe({ queue: 'announcements', maxInFlightPerPartition: 1 }, () =>
      Promise.reject(new RetryableError('BUSY', 'later', { retryAfterMs: 3_600_000 })),
    );
    relay.publish([{ id: `${actorId}:2:0`, queue: 'announcements', partition: 0, data: {} }]);
    await relay.stop();
    expect(await waiting()).toEqual([`${actorId}:2:0`]);
    await bus.close();
  });
});
