import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Bus, BusMessage } from '../../../src/platform/bus/index.ts';
import { createKindRegistry, readJournal, replay, saveWatermark } from '../../../src/platform/engine/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { createTestClock, START_MS } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import {
  createTestBus,
  newActorId,
  type Runtime,
  type RuntimeOptions,
  startRuntime,
} from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable } from '../../support/service/engine-charts.ts';

const kinds = createKindRegistry([createLedgerKind()]);
const MINUTE_MS = 60_000;
/** Longer than a lease. */
const AFTER_LEASES_MS = 61_000;
const PLACES = 20;
/** Many times the capacity of a lane. */
const BURST = level.pick({ quick: 100, full: 300 });

describeDatabases('many timers due at once', (database) => {
  beforeAll(() => createLedgerTable(database()));
  beforeEach(async () => {
    await sql`delete from timer`.execute(database().db);
  });

  const run = (options: Omit<RuntimeOptions, 'connection'>): Promise<Runtime> =>
    startRuntime({ connection: database(), capacityPerLane: PLACES, ...options });

  /** This many ledgers, each with a reminder due in a minute. */
  async function remindAll({ engine }: Runtime, count: number, gate?: string): Promise<string[]> {
    const ids = Array.from({ length: count }, newActorId);
    const event = { type: 'remind', inMs: MINUTE_MS, ...(gate === undefined ? {} : { gate }) };
    await Promise.all(ids.map((actorId) => engine.start({ kind: 'ledger', actorId, startKey: null, input: {} })));
    await Promise.all(ids.map((actorId) => engine.deliver({ actorId, eventId: 'e-1', event })));
    return ids;
  }

  const leased = async () => {
    const { rows } = await sql<{ leased: number }>`
      select count(*) as leased from timer where leased_until > '-infinity' and leased_until < 'infinity'`.execute(
      database().db,
    );
    return rows[0]?.leased ?? 0;
  };
  const left = async () => {
    const { rows } = await sql<{ left: number }>`select count(*) as left from timer`.execute(database().db);
    return rows[0]?.left;
  };
  const firings = async (actorId: string) =>
    (await readJournal(database().db, actorId)).filter(({ event }) => event.type === 'timer.reminder_due');

  async function expectEachOnce(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const outcomes = (await firings(id)).map(({ outcome }) => outcome);
      expect(outcomes, id).toEqual(['applied']);
    }
  }

  test.each([
    ['that keeps a message until its handler has settled it', (bus: Bus) => bus],
    ['that answers when it has stored a message', storing],
  ])('all fire, with a bus %s, and none waits for the end of a lease', async (_, kindOfBus) => {
    const clock = createTestClock();
    const runtime = await run({ clock, bus: kindOfBus(createTestBus(database())) });
    const ids = await remindAll(runtime, BURST);
    // The clock stands still from here on, so that no lease expires.
    clock.advance(MINUTE_MS);
    let most = 0;
    await expect
      .poll(async () => {
        most = Math.max(most, await leased());
        return left();
      }, POLLING)
      .toBe(0);
    expect(most).toBeLessThanOrEqual(PLACES);
    await expectEachOnce(ids);
    await runtime.stop();
  });

  test('are shared by several processes, each within its own limits', async () => {
    const clock = createTestClock();
    const published: number[] = [0, 0, 0];
    const runtimes = await Promise.all(
      published.map((_, index) =>
        run({
          clock,
          bus: watching(createTestBus(database()), () => (published[index] = (published[index] ?? 0) + 1)),
        }),
      ),
    );
    const [first] = runtimes;
    if (first === undefined) throw new Error('nothing runs');
    const ids = await remindAll(first, BURST);
    clock.advance(MINUTE_MS);
    await expect.poll(left, POLLING).toBe(0);
    await expectEachOnce(ids);
    // No service published a timer that another one had leased.
    expect(published.reduce((sum, each) => sum + each, 0)).toBe(BURST);
    expect(published.filter((each) => each > 0).length).toBeGreaterThan(1);
    await Promise.all(runtimes.map((runtime) => runtime.stop()));
  });

  test('of one gate without a consumer do not block those of another, or those without a gate', async () => {
    const clock = createTestClock();
    const [stuckGate, gate] = [newActorId(), newActorId()];
    let stuck: readonly string[] = [];
    const runtime = await run({
      clock,
      bus: holding(createTestBus(database()), (actorId) => stuck.includes(actorId)),
    });
    stuck = await remindAll(runtime, 3 * PLACES, stuckGate);
    const others = [...(await remindAll(runtime, 3 * PLACES, gate)), ...(await remindAll(runtime, 3 * PLACES))];
    clock.advance(MINUTE_MS);
    for (const each of [stuckGate, gate]) {
      await saveWatermark(database().db, { gate: each, reachedAt: START_MS + 2 * MINUTE_MS, height: null });
    }
    await expect.poll(left, POLLING).toBe(3 * PLACES);
    await expectEachOnce(others);
    await expect.poll(leased, POLLING).toBe(PLACES);
    await runtime.stop();
  });

  test('are not published a second time while the bus has not accepted the first message', async () => {
    const clock = createTestClock();
    const requested: string[] = [];
    const runtime = await run({
      clock,
      bus: watching(
        holding(createTestBus(database()), () => true),
        ({ id }) => requested.push(id),
      ),
    });
    // One place is left, so that its lane is still polled.
    await remindAll(runtime, PLACES - 1);
    clock.advance(MINUTE_MS);
    await expect.poll(() => requested.length, POLLING).toBe(PLACES - 1);
    const firstLease = await leasedUntil();
    clock.advance(AFTER_LEASES_MS);
    await expect.poll(leasedUntil, POLLING).not.toEqual(firstLease);
    expect(requested).toHaveLength(PLACES - 1);
    await runtime.stop();
  });

  const leasedUntil = async () =>
    (await sql<{ until: number }>`select max(leased_until) as until from timer`.execute(database().db)).rows[0]?.until;

  test('each fire once in effect, with any losses and rejections, three processes and a clock that jumps', async () => {
    const jumps = fc.array(fc.integer({ min: -3 * MINUTE_MS, max: 3 * MINUTE_MS }), { minLength: 1, maxLength: 5 });
    const fates = fc.infiniteStream(fc.constantFrom('taken', 'taken', 'lost', 'refused', 'twice' as const));
    await assertAsyncProperty(
      fc.asyncProperty(jumps, fates, fc.integer({ min: 1, max: 12 }), async (moves, fate, capacityPerLane) => {
        const clock = createTestClock();
        let isCalm = false;
        const unreliable = () =>
          fickle(createTestBus(database()), () => (isCalm ? 'taken' : (fate.next().value ?? 'taken')));
        const runtimes: Runtime[] = [];
        for (let count = 0; count < 3; count += 1)
          runtimes.push(await run({ clock, bus: unreliable(), capacityPerLane }));
        const [first, second] = runtimes;
        if (first === undefined || second === undefined) throw new Error('nothing runs');
        const gate = newActorId();
        const ids = [...(await remindAll(first, 20)), ...(await remindAll(second, 20, gate))];
        await saveWatermark(database().db, { gate, reachedAt: START_MS + 60 * MINUTE_MS, height: null });
        for (const move of moves) {
          clock.advance(move);
          await Promise.all(runtimes.map(({ timers }) => anotherPoll(timers, leased)));
        }
        isCalm = true;
        // After every due time and every lease, by any clock.
        clock.advance(60 * MINUTE_MS);
        await expect.poll(left, POLLING).toBe(0);
        await expectEachOnce(ids);
        for (const id of ids) {
          for (const { at } of await firings(id)) expect(at).toBeGreaterThanOrEqual(START_MS + MINUTE_MS);
          expect((await replay(database().db, kinds, id))?.equal, id).toBe(true);
        }
        await Promise.all(runtimes.map((runtime) => runtime.stop()));
      }),
      { numRuns: level.pick({ quick: 3, full: 6 }), interruptAfterTimeLimit: 40_000 },
    );
  });
});

// Helpers

/** A bus that acknowledges like a broker: the message is stored, whatever its handler does. */
function storing(bus: Bus): Bus {
  return {
    ...bus,
    async publish(message) {
      void bus.publish(message).catch(() => {});
    },
  };
}

function watching(bus: Bus, onTimer: (message: BusMessage) => void): Bus {
  return {
    ...bus,
    publish(message) {
      if (isTimer(message)) onTimer(message);
      return bus.publish(message);
    },
  };
}

/** Never delivers the timers of some actors. */
function holding(bus: Bus, isHeld: (actorId: string) => boolean): Bus {
  return {
    ...bus,
    publish: (message) => (isTimer(message) && isHeld(actorOf(message)) ? new Promise(() => {}) : bus.publish(message)),
  };
}

/** A bus on which a callback decides the fate of each timer's message. */
function fickle(bus: Bus, fate: () => 'taken' | 'lost' | 'refused' | 'twice'): Bus {
  return {
    ...bus,
    async publish(message) {
      const will = isTimer(message) ? fate() : 'taken';
      if (will === 'lost') return;
      if (will === 'refused') throw new RetryableError('BUS_UNREACHABLE', 'not now');
      if (will === 'twice') void bus.publish({ ...message, id: `${message.id}-again` }).catch(() => {});
      await bus.publish(message);
    },
  };
}

function isTimer({ data }: BusMessage): boolean {
  return String((data as { eventId?: unknown }).eventId).startsWith('timer:');
}

function actorOf({ data }: BusMessage): string {
  return (data as { actorId: string }).actorId;
}

/** Makes a service poll at the current time of the clock. */
async function anotherPoll(timers: Runtime['timers'], read: () => Promise<unknown>): Promise<void> {
  timers.wake();
  await read();
}
