import { beforeAll, expect, test } from 'vitest';
import type { DeliveryEffects } from '../../../machines/index.ts';
import { deliveryMachine, MAX_ATTEMPTS, RESPONSE_OVERDUE_MS, RETRY_DELAYS_MS } from '../../../machines/index.ts';
import { createKindRegistry, defineKind, readJournal, replay } from '../../../src/platform/engine/index.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { newActorId, type Runtime, startRuntime } from '../../support/service/engine.ts';
import { ANNOUNCEMENTS } from '../../support/service/engine-charts.ts';

/** The chart of webhook deliveries, with its attempts sent where tests can see them. */
const deliveryKind = defineKind<DeliveryEffects>()({
  machine: deliveryMachine,
  effects: {
    sendAttempt: ({ attempt }, { actorId, sequence }) => [
      {
        kind: 'message',
        queue: ANNOUNCEMENTS,
        key: actorId,
        data: { actorId, sequence, what: 'sent', amount: attempt },
      },
    ],
    startTimer: ({ timer, dueAt }) => [{ kind: 'timer', name: timer, dueAt, gate: null }],
    cancelTimer: ({ timer }) => [{ kind: 'cancelTimer', name: timer }],
  },
});

describeDatabases('the engine runs a chart of another module:', (database) => {
  let clock: TestClock;
  let runtime: Runtime;
  beforeAll(async () => {
    clock = createTestClock();
    runtime = await startRuntime({ connection: database(), clock, kinds: [deliveryKind] });
    return () => runtime.stop();
  });
  const startDelivery = async () => {
    const actorId = newActorId();
    const input = { deliveryId: actorId, endpointId: 'whk', webhookEventId: 'evt', earlierAttempts: 0 };
    await runtime.engine.start({ kind: 'delivery', actorId, startKey: null, input });
    return actorId;
  };
  const attemptsOf = (actorId: string) =>
    [...runtime.announced.values()].filter((each) => each.actorId === actorId).map((each) => each.amount);
  const fail = (actorId: string, attempt: number) => {
    const failure = { kind: 'status', status: 500, detail: 'HTTP 500' };
    const event = { type: 'sender.attempt_failed', attempt, failure, jitter: 0 };
    return runtime.engine.deliver({ actorId, eventId: `attempt-${attempt}`, event });
  };
  const stateOf = async (actorId: string) => (await readJournal(database().db, actorId)).at(-1)?.state;

  test('a delivery that always fails makes every attempt of its schedule, on time, and then rests', async () => {
    const actorId = await startDelivery();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await expect.poll(() => attemptsOf(actorId), POLLING).toEqual(Array.from({ length: attempt }, (_, i) => i + 1));
      const { state } = await fail(actorId, attempt);
      expect(state).toBe(attempt < MAX_ATTEMPTS ? 'waiting' : 'failed');
      clock.advance(RETRY_DELAYS_MS[attempt - 1] ?? 0);
    }
    const left = await database().db.selectFrom('timer').selectAll().where('actor_id', '=', actorId).execute();
    expect(left).toEqual([]);
    expect((await replay(database().db, createKindRegistry([deliveryKind]), actorId))?.equal).toBe(true);
  });

  test('an attempt whose sender stopped responding is sent again, as the same attempt', async () => {
    const actorId = await startDelivery();
    await expect.poll(() => attemptsOf(actorId), POLLING).toEqual([1]);
    clock.advance(RESPONSE_OVERDUE_MS);
    await expect.poll(() => attemptsOf(actorId), POLLING).toEqual([1, 1]);
    const event = { type: 'sender.attempt_succeeded', attempt: 1, status: 200 };
    await runtime.engine.deliver({ actorId, eventId: 'done', event });
    expect(await stateOf(actorId)).toBe('delivered');
  });
});
