import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Bus, createLocalBus, partitionOf } from '../../../src/platform/bus/index.ts';
import type { ActorEvent } from '../../../src/platform/engine/index.ts';
import {
  createKindRegistry,
  createTimerService,
  dueTimersOf,
  leaseDueTimers,
  MAX_CLOCK_OFFSET_MS,
  readJournal,
  replay,
  saveWatermark,
  shiftClock,
  timerCommand,
} from '../../../src/platform/engine/index.ts';
import { leaseTimersUntil } from '../../../src/platform/engine/sql/timers.ts';
import { newId } from '../../../src/platform/ids.ts';
import { runInNewContext, serializeContext } from '../../../src/platform/request-context.ts';
import { createTestClock, START_MS, type TestClock } from '../../support/clock.ts';
import { describeBothDatabases } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { createDeadLetterPort, newActorId, type Runtime, startRuntime } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

const kinds = createKindRegistry([createLedgerKind()]);
const MINUTE_MS = 60_000;
const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describeBothDatabases('a timer', (database) => {
  let clock: TestClock;
  let runtime: Runtime;
  beforeAll(() => createLedgerTable(database()));
  beforeEach(async () => {
    await database().db.deleteFrom('timer').execute();
    clock = createTestClock();
    runtime = await startRuntime({ connection: database(), clock });
  });
  afterEach(() => runtime.stop());

  const startLedger = async () => {
    const actorId = newActorId();
    await runtime.engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    return actorId;
  };
  const send = (actorId: string, eventId: string, event: ActorEvent) =>
    runtime.engine.deliver({ actorId, eventId, event });
  const firings = async (actorId: string) =>
    (await readJournal(database().db, actorId)).filter((entry) => entry.event.type.startsWith('timer.'));
  const timerOf = (actorId: string) =>
    database().db.selectFrom('timer').selectAll().where('actor_id', '=', actorId).executeTakeFirst();
  /** Makes the timer service poll due timers at least once more. */
  const anotherRound = async () => {
    const probe = await startLedger();
    await send(probe, 'probe', { type: 'remind', inMs: 0 });
    await expect.poll(() => firings(probe), POLLING).toHaveLength(1);
  };

  test('fires once its time has come, not before, and its row is deleted in the commit that applies the event', async () => {
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: MINUTE_MS });
    clock.advance(MINUTE_MS - 1);
    await anotherRound();
    expect(await firings(actorId)).toEqual([]);
    clock.advance(1);
    await expect
      .poll(() => firings(actorId), POLLING)
      .toMatchObject([{ eventId: 'timer:reminder_due:2', outcome: 'applied', event: { dueAt: START_MS + MINUTE_MS } }]);
    expect(await timerOf(actorId)).toBeUndefined();
    await anotherRound();
    expect(await firings(actorId)).toHaveLength(1);
  });

  test('is stamped with its due time when the process that applies it has a slower clock', async () => {
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: MINUTE_MS });
    const dueAt = START_MS + MINUTE_MS;
    const timer = { actorId, name: 'reminder_due', setBySequence: 2, dueAt, height: null };
    expect((await runtime.engine.deliver(timerCommand({ ...timer, queue: 'ledger', partition: 0 }))).outcome).toBe(
      'applied',
    );
    expect(await firings(actorId)).toMatchObject([{ at: dueAt }]);
  });

  test('with a gate waits for the watermark to pass its time, however late the clock is', async () => {
    const [actorId, gate] = [await startLedger(), newActorId()];
    await send(actorId, 'e-1', { type: 'remind', inMs: MINUTE_MS, gate });
    clock.advance(10 * MINUTE_MS);
    await anotherRound();
    await saveWatermark(database().db, { gate, reachedAt: START_MS + MINUTE_MS, height: null });
    await anotherRound();
    expect(await firings(actorId)).toEqual([]);
    await saveWatermark(database().db, { gate, reachedAt: START_MS + MINUTE_MS + 1, height: null });
    await expect.poll(() => firings(actorId), POLLING).toHaveLength(1);
  });

  test('with a gate also waits for the clock, however far the watermark is', async () => {
    const [actorId, gate] = [await startLedger(), newActorId()];
    await send(actorId, 'e-1', { type: 'remind', inMs: MINUTE_MS, gate });
    await saveWatermark(database().db, { gate, reachedAt: START_MS + 10 * MINUTE_MS, height: null });
    await anotherRound();
    expect(await firings(actorId)).toEqual([]);
    clock.advance(MINUTE_MS);
    await expect.poll(() => firings(actorId), POLLING).toHaveLength(1);
  });

  test('a watermark never moves back in time, but its height does', async () => {
    const gate = newActorId();
    const { db } = database();
    await saveWatermark(db, { gate, reachedAt: START_MS, height: 10 });
    await saveWatermark(db, { gate, reachedAt: START_MS - 1, height: 9 });
    await saveWatermark(db, { gate, reachedAt: null, height: null });
    const row = await db.selectFrom('watermark').selectAll().where('gate', '=', gate).executeTakeFirst();
    expect(row).toMatchObject({ reached_at: START_MS, height: 9 });
  });

  test('for a height fires when the chain has reached it, and contains the reached height', async () => {
    const [actorId, gate] = [await startLedger(), newActorId()];
    await send(actorId, 'e-1', { type: 'remindAtHeight', height: 100, gate });
    await saveWatermark(database().db, { gate, reachedAt: START_MS, height: 99 });
    await anotherRound();
    expect(await firings(actorId)).toEqual([]);
    await saveWatermark(database().db, { gate, reachedAt: START_MS, height: 102 });
    await expect.poll(() => firings(actorId), POLLING).toMatchObject([{ event: { height: 102 } }]);
  });

  test('whose row cannot be read is parked with an alert, and the round continues without it', async () => {
    const [broken, sound] = [await startLedger(), await startLedger()];
    for (const actorId of [broken, sound]) await send(actorId, 'e-1', { type: 'remind', inMs: MINUTE_MS });
    await sql`update timer set due_at = '290000-01-01T00:00:00Z' where actor_id = ${broken}`.execute(database().db);
    clock.advance(MINUTE_MS);
    await expect.poll(() => firings(sound), POLLING).toHaveLength(1);
    await anotherRound();
    expect(await timerOf(broken)).toMatchObject({ leased_until: Number.POSITIVE_INFINITY });
    const alerts = await database()
      .db.selectFrom('operator_alert')
      .select(['alert', 'detail'])
      .where('actor_id', '=', broken)
      .execute();
    const detail = expect.stringMatching(/^timer reminder_due was skipped: due_at: 290000-01-01/);
    expect(alerts).toEqual([{ alert: 'row_unreadable', detail }]);
  });

  test('that is parked is not among the due ones that a caller fires', async () => {
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: MINUTE_MS });
    const due = () => dueTimersOf(database().db, { actorId, now: clock.now() + MINUTE_MS });
    await sql`update timer set leased_until = ${new Date(clock.now() + 2 * MINUTE_MS)} where actor_id = ${actorId}`.execute(
      database().db,
    );
    expect(await due()).toMatchObject([{ name: 'reminder_due' }]);
    await sql`update timer set leased_until = 'infinity' where actor_id = ${actorId}`.execute(database().db);
    expect(await due()).toEqual([]);
  });

  test('of the year 10000 fires like any other', async () => {
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: MINUTE_MS });
    const dueAt = Date.UTC(10_000, 0, 1);
    await sql`update timer set due_at = '10000-01-01T00:00:00Z' where actor_id = ${actorId}`.execute(database().db);
    clock.advance(MINUTE_MS);
    await expect.poll(() => firings(actorId), POLLING).toMatchObject([{ event: { dueAt }, at: dueAt }]);
  });

  test('that was cancelled never fires', async () => {
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: MINUTE_MS });
    await send(actorId, 'e-2', { type: 'forget' });
    clock.advance(2 * MINUTE_MS);
    await anotherRound();
    expect(await timerOf(actorId)).toBeUndefined();
    expect(await firings(actorId)).toEqual([]);
  });

  test("is never advanced by more than ten years of its actor's own time, however many callers advance that clock", async () => {
    const actorId = await startLedger();
    const offset = async () =>
      (
        await database()
          .db.selectFrom('actor')
          .select('clock_offset_ms')
          .where('id', '=', actorId)
          .executeTakeFirstOrThrow()
      ).clock_offset_ms;
    // No ten years have more leap days.
    expect(MAX_CLOCK_OFFSET_MS).toBe(Date.UTC(2034, 1, 28) - Date.UTC(2024, 1, 28));
    const third = Math.floor(MAX_CLOCK_OFFSET_MS / 3) + 1;
    const moves = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        database()
          .db.transaction()
          .execute((trx) => shiftClock(trx, actorId, third)),
      ),
    );
    const rejected = moves.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(rejected).toMatchObject([{ code: 'INVALID_REQUEST' }, { code: 'INVALID_REQUEST' }]);
    expect(await offset()).toBe(2 * third);
  });

  test('that was reset fires at its new time only', async () => {
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: MINUTE_MS });
    await send(actorId, 'e-2', { type: 'remind', inMs: 3 * MINUTE_MS });
    clock.advance(2 * MINUTE_MS);
    await anotherRound();
    expect(await firings(actorId)).toEqual([]);
    clock.advance(MINUTE_MS);
    await expect.poll(() => firings(actorId), POLLING).toMatchObject([{ eventId: 'timer:reminder_due:3' }]);
  });

  test.each([
    ['cancelled', { type: 'forget' }, undefined],
    ['set anew', { type: 'remind', inMs: MINUTE_MS }, { set_by_sequence: 3 }],
  ])('that was %s while its firing was in progress does not reach the chart', async (_, change, timerAfter) => {
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: MINUTE_MS });
    const stale = { eventId: 'timer:reminder_due:2', event: { type: 'timer.reminder_due' } };
    // Both ways: the change committed earlier, and in the same batch as the firing.
    const outcomes = await Promise.all([send(actorId, 'e-2', change), send(actorId, stale.eventId, stale.event)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied', 'ignored']);
    expect((await send(actorId, 'timer:reminder_due:1', stale.event)).outcome).toBe('ignored');
    const timer = await timerOf(actorId);
    if (timerAfter === undefined) expect(timer).toBeUndefined();
    else expect(timer).toMatchObject(timerAfter);
    expect((await replay(database().db, kinds, actorId))?.equal).toBe(true);
  });

  test('may reset itself when it fires', async () => {
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: 0 });
    await expect.poll(() => firings(actorId), POLLING).toHaveLength(1);
    await send(actorId, 'e-2', { type: 'remind', inMs: 0 });
    await expect.poll(() => firings(actorId), POLLING).toHaveLength(2);
  });

  test('fires earlier when the clock of its actor is advanced, and the event contains the advanced time', async () => {
    const [actorId, other] = [await startLedger(), await startLedger()];
    for (const id of [actorId, other]) await send(id, 'e-1', { type: 'remind', inMs: 10 * MINUTE_MS });
    await database()
      .db.transaction()
      .execute((trx) => shiftClock(trx, actorId, 10 * MINUTE_MS));
    await expect
      .poll(() => firings(actorId), POLLING)
      .toMatchObject([{ at: START_MS + 10 * MINUTE_MS, event: { dueAt: START_MS + 10 * MINUTE_MS } }]);
    // A timer set afterwards uses the actor's own time.
    await send(actorId, 'e-2', { type: 'remind', inMs: MINUTE_MS });
    expect(await timerOf(actorId)).toMatchObject({
      due_at: START_MS + 11 * MINUTE_MS,
      fires_at: START_MS + MINUTE_MS,
    });
    expect(await firings(other)).toEqual([]);
  });

  test('whose firing was dead-lettered stays parked, and fires when its dead letter is delivered again', async () => {
    const actorId = newActorId();
    const broken = { isBroken: true };
    const kind = createLedgerKind();
    const own = await startRuntime({
      connection: database(),
      clock,
      kinds: [
        {
          ...kind,
          async project(trx, steps) {
            if (broken.isBroken && steps.some(({ event }) => event.type === 'timer.reminder_due'))
              throw new Error('broken');
            await kind.project?.(trx, steps);
          },
        },
      ],
    });
    await runtime.timers.stop();
    await own.engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    await own.engine.deliver({ actorId, eventId: 'e-1', event: { type: 'remind', inMs: 0 } });
    await expect.poll(() => firings(actorId), POLLING).toMatchObject([{ outcome: 'failed', error: 'broken' }]);
    clock.advance(10 * MINUTE_MS);
    expect(await leaseDueTimers(database().db, { now: clock.now(), leaseMs: 1, limit: 10 })).toEqual([]);
    const letter = await database()
      .db.selectFrom('dead_letter')
      .select('data')
      .where('actor_id', '=', actorId)
      .executeTakeFirstOrThrow();
    broken.isBroken = false;
    const again = letter.data as Parameters<typeof own.engine.deliver>[0];
    expect((await own.engine.deliver(again)).outcome).toBe('applied');
    expect(await timerOf(actorId)).toBeUndefined();
    expect((await replay(database().db, kinds, actorId))?.equal).toBe(true);
    await own.stop();
  });

  test('is leased by one reader at a time, and again when the lease has expired', async () => {
    await runtime.timers.stop();
    const ids = await Promise.all(Array.from({ length: 20 }, startLedger));
    await Promise.all(ids.map((id) => send(id, 'e-1', { type: 'remind', inMs: 0 })));
    const lease = (now: number) => leaseDueTimers(database().db, { now, leaseMs: MINUTE_MS, limit: 100 });
    const [first, second] = await Promise.all([lease(START_MS), lease(START_MS)]);
    const leased = [...(first ?? []), ...(second ?? [])].map((timer) => timer.actorId);
    // A reader skips rows that another one is leasing; the next round gets them.
    leased.push(...(await lease(START_MS)).map((timer) => timer.actorId));
    expect(leased.sort()).toEqual([...ids].sort());
    expect(await lease(START_MS + MINUTE_MS - 1)).toEqual([]);
    expect(await lease(START_MS + MINUTE_MS)).toHaveLength(20);
  });

  test('is released alone: another of the same actor, set by the same step, stays leased', async () => {
    await runtime.timers.stop();
    const { db } = database();
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: 0 });
    await sql`
      insert into timer (actor_id, name, set_by_sequence, due_at, fires_at, queue, partition)
      select actor_id, 'another_due', set_by_sequence, due_at, fires_at, queue, partition
      from timer where actor_id = ${actorId}`.execute(db);
    const lease = () => leaseDueTimers(db, { now: START_MS, leaseMs: MINUTE_MS, limit: 10 });
    const both = await lease();
    expect(both).toHaveLength(2);
    await leaseTimersUntil(
      db,
      both.filter(({ name }) => name === 'reminder_due'),
      '-infinity',
    );
    expect((await lease()).map(({ name }) => name)).toEqual(['reminder_due']);
  });

  test('is polled less often while none is due, down to a quarter, and at the normal rate after one', async () => {
    await runtime.timers.stop();
    // A period that nothing else waits for.
    const pollEveryMs = 13;
    const timeouts = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timeouts.mockRestore());
    const pauses = () => timeouts.mock.calls.flatMap(([, ms = 0]) => (ms > 0 && ms % pollEveryMs === 0 ? [ms] : []));
    const timers = createTimerService({ db: database().db, bus: runtime.bus, clock, log: silentLog, pollEveryMs });
    timers.start();
    await expect.poll(() => pauses().slice(0, 3), POLLING).toEqual([26, 52, 52]);
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: 0 });
    await expect.poll(pauses, POLLING).toContain(13);
    await timers.stop();
  });

  test('is published in the same poll as all that are due, even beyond the limit of one round', async () => {
    await runtime.timers.stop();
    const { db } = database();
    await sql`
      insert into timer (actor_id, name, set_by_sequence, due_at, fires_at, queue, partition)
      select 'actor-of-many-' || number, 'reminder_due', 1, ${new Date(START_MS)}, ${new Date(START_MS)}, 'actor-ledger', 0
      from generate_series(1, 501) as number`.execute(db);
    const published = new Set<string>();
    const bus: Bus = { ...runtime.bus, publish: async ({ id }) => void published.add(id) };
    // One more than a round leases of a lane; there is no second poll.
    const pollEveryMs = 60 * MINUTE_MS;
    const timers = createTimerService({ db, bus, clock, log: silentLog, pollEveryMs });
    timers.start();
    await expect.poll(() => published.size, POLLING).toBe(501);
    await timers.stop();
  });

  test('is polled again soon while its lane is full, however rarely otherwise', async () => {
    await runtime.timers.stop();
    const ids = await Promise.all(Array.from({ length: 5 }, startLedger));
    await Promise.all(ids.map((id) => send(id, 'e-1', { type: 'remind', inMs: 0 })));
    const options = { pollEveryMs: 60 * MINUTE_MS, capacityPerLane: 2 };
    const timers = createTimerService({ db: database().db, bus: runtime.bus, clock, log: silentLog, ...options });
    timers.start();
    for (const id of ids) await expect.poll(() => firings(id), POLLING).toHaveLength(1);
    await timers.stop();
  });

  test('is reported with how late it was leased', async () => {
    await runtime.timers.stop();
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: 0 });
    clock.advance(5_000);
    const leased = vi.fn();
    const observer = { leased, publishFailed: vi.fn() };
    const timers = createTimerService({ db: database().db, bus: runtime.bus, clock, log: silentLog, observer });
    timers.start();
    await expect.poll(() => firings(actorId), POLLING).toHaveLength(1);
    expect(leased.mock.calls).toEqual([[{ waitsFor: 'clock', lateMs: 5_000 }]]);
    await timers.stop();
  });

  test('that is leased when the bus closes is free again immediately', async () => {
    await runtime.timers.stop();
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: 0 });
    // This bus has no subscribers, so its publishers wait until it closes.
    const bus = createLocalBus({ deadLetter: createDeadLetterPort(database()), log: silentLog });
    const timers = createTimerService({ db: database().db, bus, clock, log: silentLog });
    timers.start();
    await expect.poll(async () => (await timerOf(actorId))?.leased_until, POLLING).toBe(START_MS + MINUTE_MS);
    await timers.stop();
    await bus.close();
    await timers.settled();
    const free = await leaseDueTimers(database().db, { now: clock.now(), leaseMs: MINUTE_MS, limit: 10 });
    expect(free.map((timer) => timer.actorId)).toEqual([actorId]);
  });

  test('is published outside any request context, independent of the caller that woke the service, and so are later ones', async () => {
    await runtime.timers.stop();
    const ids = [await startLedger(), await startLedger()];
    for (const [index, id] of ids.entries()) await send(id, 'e-1', { type: 'remind', inMs: index * 1_000 });
    const published: (readonly [string, string | null])[] = [];
    const bus: Bus = {
      ...runtime.bus,
      publish: async ({ data }) => void published.push([(data as { actorId: string }).actorId, serializeContext()]),
    };
    const timers = createTimerService({ db: database().db, bus, clock, log: silentLog, pollEveryMs: 10 });
    timers.start();
    // Before the first round, so that this call finds the first timer.
    runInNewContext({ requestId: newId('req'), merchantId: 'mer_1', trace: TRACE }, () => timers.wake());
    await expect.poll(() => published, POLLING).toEqual([[ids[0], null]]);
    clock.advance(1_000);
    await expect.poll(() => published[1], POLLING).toEqual([ids[1], null]);
    await timers.stop();
  });

  test('whose event was published but never processed is published again, under the same event id', async () => {
    await runtime.timers.stop();
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: 0 });
    const [lost] = await leaseDueTimers(database().db, { now: START_MS, leaseMs: MINUTE_MS, limit: 10 });
    expect(lost).toMatchObject({ actorId, queue: 'actor-ledger', partition: partitionOf(actorId) });
    const next = await startRuntime({ connection: database(), clock });
    clock.advance(MINUTE_MS);
    await expect.poll(() => firings(actorId), POLLING).toHaveLength(1);
    if (lost !== undefined) expect((await next.engine.deliver(timerCommand(lost))).outcome).toBe('duplicate');
    await next.stop();
  });

  test('is returned when the bus does not accept its event, and fires when it does', async () => {
    await runtime.stop();
    const bus = createLocalBus({ deadLetter: createDeadLetterPort(database()), log: silentLog });
    const closed = createLocalBus({ deadLetter: createDeadLetterPort(database()), log: silentLog });
    await closed.close();
    let isUp = false;
    const flaky = {
      ...bus,
      publish: (message: Parameters<typeof bus.publish>[0]) => (isUp ? bus : closed).publish(message),
    };
    runtime = await startRuntime({ connection: database(), clock, bus: flaky });
    const actorId = await startLedger();
    await send(actorId, 'e-1', { type: 'remind', inMs: 0 });
    isUp = true;
    await expect.poll(() => firings(actorId), POLLING).toHaveLength(1);
  });
});
