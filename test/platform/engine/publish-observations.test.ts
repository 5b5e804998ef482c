import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Bus, BusMessage } from '../../../src/platform/bus/index.ts';
import { partitionOf } from '../../../src/platform/bus/index.ts';
import {
  type ActorEvent,
  actorQueue,
  createEngine,
  createKindRegistry,
  createObservationRedelivery,
  deletePendingObservations,
  type Engine,
  leaseDueTimers,
  type ObservationMessage,
  publishObservations,
  saveWatermark,
} from '../../../src/platform/engine/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { createTestClock, START_MS } from '../../support/clock.ts';
import { describeBothDatabases } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable, POISON } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

const MINUTE_MS = 60_000;
const GATE = 'network';
const LATER = START_MS + 10 * MINUTE_MS;

describeBothDatabases('a pending observation', (database) => {
  const db = () => database().db;
  let engine: Engine;
  beforeAll(() => createLedgerTable(database()));
  beforeEach(async () => {
    await sql`delete from timer`.execute(db());
    await sql`delete from pending_observation`.execute(db());
    await sql`delete from dead_letter`.execute(db());
    engine = createEngine({
      db: db(),
      kinds: createKindRegistry([createLedgerKind()]),
      clock: createTestClock(),
      log: silentLog,
    });
  });

  /** A ledger with a reminder at a gate that has been passed. */
  async function remindedLedger(gate: string | null = GATE): Promise<string> {
    const actorId = newActorId();
    await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    const event: ActorEvent = { type: 'remind', inMs: MINUTE_MS, ...(gate === null ? {} : { gate }) };
    await engine.deliver({ actorId, eventId: 'remind', event });
    await saveWatermark(db(), { gate: GATE, reachedAt: LATER, height: null });
    return actorId;
  }

  /** Actors whose timers would fire now; the lease is no longer than the poll. */
  async function dueActors(now = LATER): Promise<string[]> {
    const due = await leaseDueTimers(db(), { now, leaseMs: 0, limit: 1_000 });
    return due.map(({ actorId }) => actorId);
  }

  const booking = (actorId: string, topic: string, eventId: string, amount = 1): ObservationMessage => ({
    queue: actorQueue('ledger'),
    partition: partitionOf(actorId),
    id: `${actorId}:${eventId}`,
    data: { actorId, topic, eventId, event: { type: 'book', amount } },
  });
  const pendingIds = async () => {
    const { rows } = await sql<{ event_id: string }>`
      select event_id from pending_observation order by event_id`.execute(db());
    return rows.map((row) => row.event_id);
  };

  test('holds back the gated timers of its own actor only, until the actor has processed it', async () => {
    const [actorId, other] = [await remindedLedger(), await remindedLedger()];
    const message = booking(actorId, 'output', 'e-1');
    await publishObservations({ db: db(), bus: createLosingBus() }, [message]);
    expect(await dueActors()).toEqual([other]);
    await engine.deliver(message.data);
    expect((await dueActors(LATER + 1)).toSorted()).toEqual([actorId, other].toSorted());
    expect(await pendingIds()).toEqual([]);
  });

  test('also holds back a timer whose lease has expired: its first firing may have been lost', async () => {
    const actorId = await remindedLedger();
    expect(await dueActors()).toEqual([actorId]);
    const message = booking(actorId, 'output', 'e-1');
    await publishObservations({ db: db(), bus: createLosingBus() }, [message]);
    expect(await dueActors(LATER + MINUTE_MS)).toEqual([]);
    await engine.deliver(message.data);
    expect(await dueActors(LATER + MINUTE_MS)).toEqual([actorId]);
  });

  test('holds back no timer that waits for the clock only', async () => {
    const actorId = await remindedLedger(null);
    await publishObservations({ db: db(), bus: createLosingBus() }, [booking(actorId, 'output', 'e-1')]);
    expect(await dueActors()).toEqual([actorId]);
  });

  test('is removed when its actor ignores it, or has processed it before', async () => {
    const [closed, repeated] = [await remindedLedger(), await remindedLedger()];
    await engine.deliver({ actorId: closed, eventId: 'close', event: { type: 'close' } });
    const messages = [booking(closed, 'output', 'e-1'), booking(repeated, 'output', 'e-2')];
    const second = messages[1]?.data;
    if (second !== undefined) await engine.deliver(second);
    await publishObservations({ db: db(), bus: createLosingBus() }, messages);
    const outcomes = await Promise.all(messages.map(({ data }) => engine.deliver(data)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['ignored', 'duplicate']);
    expect(await pendingIds()).toEqual([]);
  });

  test('replaces an older one on its topic; processing the older one does not release the timers', async () => {
    const actorId = await remindedLedger();
    const [older, newer] = [booking(actorId, 'output', 'e-1'), booking(actorId, 'output', 'e-2')];
    await publishObservations({ db: db(), bus: createLosingBus() }, [older]);
    await publishObservations({ db: db(), bus: createLosingBus() }, [newer]);
    await engine.deliver(older.data);
    expect(await dueActors()).toEqual([]);
    await engine.deliver(newer.data);
    expect(await dueActors()).toEqual([actorId]);
  });

  test('in one report with another on its topic: the last one is pending', async () => {
    const actorId = await remindedLedger();
    const messages = [booking(actorId, 'output', 'e-1'), booking(actorId, 'output', 'e-2')];
    const bus = createLosingBus();
    await publishObservations({ db: db(), bus }, messages);
    expect(await pendingIds()).toEqual(['e-2']);
    expect(bus.taken).toHaveLength(2);
  });

  test('that was dead-lettered holds the timers until an operator resolves it, and is not redelivered', async () => {
    const actorId = await remindedLedger();
    const message = booking(actorId, 'output', 'e-1', POISON.forChart);
    await publishObservations({ db: db(), bus: createLosingBus() }, [message]);
    expect(await engine.deliver(message.data)).toMatchObject({ outcome: 'failed' });
    expect(await dueActors()).toEqual([]);
    const bus = createLosingBus();
    await growOld();
    await keepOnce(bus, 30_000);
    expect(bus.taken).toEqual([]);
    await deletePendingObservations(db(), [message.data]);
    expect(await dueActors()).toEqual([actorId]);
  });

  test('that the broker lost is redelivered under its id, once, however many processes check it', async () => {
    const actorId = await remindedLedger();
    const message = booking(actorId, 'output', 'e-1');
    const rejecting = createLosingBus(new RetryableError('BUS_UNREACHABLE', 'away'));
    await expect(publishObservations({ db: db(), bus: rejecting }, [message])).rejects.toThrow('away');
    expect(await dueActors()).toEqual([]);
    await growOld();
    const bus = createLosingBus();
    await Promise.all([keepOnce(bus, 30_000), keepOnce(bus, 30_000)]);
    expect(bus.taken).toEqual([message]);
  });

  test('that was lost is redelivered alone: one of the same actor on another topic is in progress', async () => {
    const actorId = await remindedLedger();
    const [lost, fresh] = [booking(actorId, 'output', 'e-1'), booking(actorId, 'balance', 'e-2')];
    await publishObservations({ db: db(), bus: createLosingBus() }, [lost]);
    await growOld();
    await publishObservations({ db: db(), bus: createLosingBus() }, [fresh]);
    const bus = createLosingBus();
    await keepOnce(bus, 30_000);
    expect(bus.taken).toEqual([lost]);
  });

  test('is never overtaken by a gated timer, in any order, with any repeats and losses', async () => {
    const topic = fc.constantFrom('a', 'b');
    const step = fc.oneof(
      fc.record({ what: fc.constant('publish' as const), ledger: fc.nat(2), topic }),
      fc.record({ what: fc.constant('arrive' as const), message: fc.nat(30) }),
      fc.record({ what: fc.constant('poll' as const) }),
    );
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        await sql`delete from timer`.execute(db());
        const ledgers = await Promise.all(Array.from({ length: 3 }, () => remindedLedger()));
        const sent: ObservationMessage[] = [];
        /** What the actor of each topic must have received. */
        const owed = new Map<string, string>();
        let now = LATER;
        for (const each of steps) {
          if (each.what === 'publish') {
            const message = booking(ledgers[each.ledger] ?? '', each.topic, `e-${sent.length}`);
            await publishObservations({ db: db(), bus: createLosingBus() }, [message]);
            sent.push(message);
            owed.set(`${message.data.actorId} ${each.topic}`, message.data.eventId);
          } else if (each.what === 'arrive') {
            const message = sent[each.message % Math.max(1, sent.length)];
            if (message === undefined) continue;
            const { actorId, topic: received, eventId } = message.data;
            await engine.deliver(message.data);
            if (owed.get(`${actorId} ${received}`) === eventId) owed.delete(`${actorId} ${received}`);
          } else {
            now += 1;
            const held = new Set([...owed.keys()].map((key) => key.split(' ')[0]));
            expect((await dueActors(now)).toSorted()).toEqual(ledgers.filter((id) => !held.has(id)).toSorted());
          }
        }
        // Nothing is stuck: pending events are redelivered, and then every timer is due.
        const bus = createLosingBus();
        await growOld();
        await keepOnce(bus, 30_000);
        expect(bus.taken).toHaveLength(owed.size);
        for (const { data } of bus.taken) await engine.deliver(data as ObservationMessage['data']);
        expect((await dueActors(now + 1)).toSorted()).toEqual(ledgers.toSorted());
        expect(await pendingIds()).toEqual([]);
      }),
      { numRuns: level.runs(100) },
    );
  });

  const growOld = () => sql`update pending_observation set sent_at = now() - interval '1 minute'`.execute(db());

  /** Lets the redelivery poll at least once. */
  async function keepOnce(bus: Bus, redeliverAfterMs: number): Promise<void> {
    let queries = 0;
    const counting = db().withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const redelivery = createObservationRedelivery({
      db: counting,
      bus,
      log: silentLog,
      redeliverAfterMs,
      pollEveryMs: 1,
    });
    redelivery.start();
    await expect.poll(() => queries, POLLING).toBeGreaterThan(0);
    await redelivery.stop();
  }
});

// Helpers

/** A bus that accepts or rejects messages and delivers none. */
function createLosingBus(rejection?: Error): Bus & { readonly taken: readonly BusMessage[] } {
  const taken: BusMessage[] = [];
  return {
    taken,
    publish: async (message) => {
      if (rejection !== undefined) throw rejection;
      taken.push(message);
    },
    subscribe: async () => ({ stop: async () => {} }),
    isHealthy: async () => true,
    waiting: async () => new Map(),
    close: async () => {},
  };
}
