import type { Connection } from '../../src/platform/db/index.ts';
import { createEngine, createKindRegistry, type Engine } from '../../src/platform/engine/index.ts';
import { createDeliveryKind, SEND_QUEUE } from '../../src/webhooks/index.ts';
import type { SendMessage } from '../../src/webhooks/send-message.ts';
import { startOf } from '../../src/webhooks/sender/report.ts';
import { createTestClock, type TestClock } from '../support/clock.ts';
import { type Runtime, startRuntime } from '../support/service/engine.ts';
import { silentLog } from '../support/silent-log.ts';

/** A service whose sender is controlled by the test: nothing leaves this process. */
export interface FakeSender {
  readonly runtime: Runtime;
  readonly clock: TestClock;
  /** Another process's engine on the same database. */
  readonly otherEngine: Engine;
  /** Requested attempts without a response, in order. */
  waiting(): readonly SendMessage[];
  /** Every simulated POST. */
  readonly posts: readonly Post[];
  /** Answers the oldest attempt, or that of a delivery. False when there is none. */
  respond(how: FakeResponse, deliveryId?: string): Promise<boolean>;
  stop(): Promise<void>;
}

/** `deferred`: the endpoint is held back, so nothing is sent unless the attempt was requested. */
export type FakeResponse = 'taken' | 'refused' | 'deferred';

export interface Post {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly attempt: number;
  readonly eventId: string;
  readonly body: string;
}

const IN_FLIGHT = 64;

export async function startFakeSender(
  connection: Pick<Connection, 'db'>,
  clock: TestClock = createTestClock(),
): Promise<FakeSender> {
  const { db } = connection;
  const runtime = await startRuntime({ connection, clock, kinds: [createDeliveryKind()] });
  const { engine, bus, relay, timers } = runtime;
  const otherEngine = createEngine({
    db,
    kinds: createKindRegistry([createDeliveryKind()]),
    clock,
    log: silentLog,
    onCommitted(messages, setsDueTimers) {
      relay.publish(messages);
      if (setsDueTimers) timers.wake();
    },
  });
  const requested = new Map<string, SendMessage>();
  const posts: Post[] = [];
  await bus.subscribe({ queue: SEND_QUEUE, maxInFlightPerPartition: IN_FLIGHT }, async ({ data }) => {
    const message = data as SendMessage;
    requested.set(`${message.deliveryId}:${message.attempt}`, message);
  });

  async function post({ deliveryId, endpointId, attempt }: SendMessage): Promise<boolean> {
    const details = await db
      .selectFrom('webhook_delivery as delivery')
      .innerJoin('webhook_event as event', 'event.id', 'delivery.webhook_event_id')
      .select(['event.id', 'event.body'])
      .where('delivery.id', '=', deliveryId)
      .where('delivery.state', '=', 'sending')
      .where('delivery.attempt', '=', attempt)
      .executeTakeFirst();
    if (details === undefined) return false;
    posts.push({ deliveryId, endpointId, attempt, eventId: details.id, body: details.body });
    const row = { delivery_id: deliveryId, attempt, started_at: new Date(clock.now()), duration_ms: 5 };
    await db
      .insertInto('webhook_attempt')
      .values({ ...row, status: null, failure: null, failure_detail: null, ...NOTHING_KEPT })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return true;
  }

  return {
    runtime,
    clock,
    otherEngine,
    posts,
    waiting: () => [...requested.values()],
    async respond(how, deliveryId) {
      const entry = [...requested].find(([, message]) => deliveryId === undefined || message.deliveryId === deliveryId);
      if (entry === undefined) return false;
      const [key, message] = entry;
      requested.delete(key);
      const { deliveryId: actorId, attempt, isRequested } = message;
      const isDeferred = how === 'deferred' && !isRequested;
      if (!isDeferred && !(await post(message))) return true;
      await engine.deliver({
        actorId,
        eventId: `answer:${key}:${posts.length}`,
        event: responseEvent(how, isDeferred, attempt, clock),
        start: startOf(message, how === 'taken' && !isDeferred ? success(message, clock) : undefined),
      });
      return true;
    },
    async stop() {
      await runtime.stop();
      await otherEngine.drain();
    },
  };
}

// Helpers

const NOTHING_KEPT = {
  request_headers: null,
  response_headers: null,
  response_body: null,
  peer_address: null,
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  first_byte_ms: null,
};

const HELD_BACK_MS = 60_000;

function success({ deliveryId, attempt }: SendMessage, clock: TestClock) {
  const outcome = { status: 200, failure: null, isProbe: false, exchange: null };
  return { deliveryId, attempt, startedAt: clock.now(), durationMs: 5, ...outcome };
}

function responseEvent(how: FakeResponse, isDeferred: boolean, attempt: number, clock: TestClock) {
  if (how === 'taken') return { type: 'sender.attempt_succeeded', attempt, status: 200 };
  const failure = { kind: 'status', status: 500, detail: 'no' };
  if (!isDeferred) return { type: 'sender.attempt_failed', attempt, failure, jitter: 0 };
  const held = { kind: 'held_back', status: null, detail: 'the endpoint keeps failing' };
  return { type: 'sender.attempt_deferred', attempt, failure: held, until: clock.now() + HELD_BACK_MS };
}
