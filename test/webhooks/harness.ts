import { randomBytes } from 'node:crypto';
import type { Mode } from '../../machines/index.ts';
import type { Bus } from '../../src/platform/bus/index.ts';
import { parseCidr } from '../../src/platform/config/index.ts';
import type { Connection } from '../../src/platform/db/index.ts';
import type { Crash } from '../../src/platform/engine/index.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Log } from '../../src/platform/log.ts';
import { createSecretBox, type SecretBox } from '../../src/platform/secrets/index.ts';
import {
  createDeliveryKind,
  createEndpoint,
  createSender,
  type NewWebhookEvent,
  raiseWebhookEvents,
  SEND_QUEUE,
  type Sender,
  type SenderDeps,
  type WebhookUrlPolicy,
  webhookEventId,
} from '../../src/webhooks/index.ts';
import { createTestClock, type TestClock } from '../support/clock.ts';
import { type Runtime, startRuntime } from '../support/service/engine.ts';
import { silentLog } from '../support/silent-log.ts';

/** Application name of a child process's database sessions. */
export const CHILD_APPLICATION = 'quittance-child';

/** Test receivers listen on the loopback address and mostly without TLS. */
export const LOOPBACK: WebhookUrlPolicy = {
  allowCidrs: [cidr('127.0.0.0/8'), cidr('::1/128')],
  allowHttp: true,
  allowPorts: [],
};
export const PUBLIC_ONLY: WebhookUrlPolicy = { allowCidrs: [], allowHttp: false, allowPorts: [] };

/** A service that only sends webhooks. */
export interface WebhookService {
  readonly runtime: Runtime;
  readonly sender: Sender;
  readonly clock: TestClock;
  readonly secretBox: SecretBox;
  stop(): Promise<void>;
}

export interface WebhookServiceOptions extends Partial<Omit<SenderDeps, 'db' | 'engine' | 'clock'>> {
  readonly connection: Pick<Connection, 'db'>;
  readonly clock?: TestClock;
  readonly log?: Log;
  /** The in-process bus when left out. `stop` closes it. */
  readonly bus?: Bus;
  readonly unpublishedAfterMs?: number;
  readonly crash?: Crash;
  /** For `SEND_QUEUE`; the bus has as many slots for each of its partitions. */
  readonly maxInFlightPerPartition?: number;
  /** Wraps the engine that the sender uses. */
  readonly wrapEngine?: (engine: Runtime['engine']) => SenderDeps['engine'];
}

const IN_FLIGHT = 16;

/** As many slots for each endpoint, however fast it answers. */
export function fixedSlots(count: number): NonNullable<SenderDeps['limits']> {
  return { minInFlightPerEndpoint: count, maxInFlightPerEndpoint: count };
}

export const TEST_KEY = new Uint8Array(32).fill(7);

export async function startWebhookService(options: WebhookServiceOptions): Promise<WebhookService> {
  const {
    connection,
    wrapEngine = (engine) => engine,
    unpublishedAfterMs,
    crash,
    bus: givenBus,
    maxInFlightPerPartition = IN_FLIGHT,
    ...rest
  } = options;
  const { db } = connection;
  const clock = options.clock ?? createTestClock();
  const secretBox = options.secretBox ?? createSecretBox(TEST_KEY);
  const log = options.log ?? silentLog;
  const runtime = await startRuntime({
    connection,
    clock,
    log,
    kinds: [createDeliveryKind()],
    ...(givenBus === undefined ? {} : { bus: givenBus }),
    ...(unpublishedAfterMs === undefined ? {} : { unpublishedAfterMs }),
    ...(crash === undefined ? {} : { crash }),
  });
  const { engine, bus } = runtime;
  const sender = createSender({ webhooks: LOOPBACK, ...rest, db, engine: wrapEngine(engine), clock, secretBox, log });
  await bus.subscribe({ queue: SEND_QUEUE, maxInFlightPerPartition }, sender.handle);
  return {
    runtime,
    sender,
    clock,
    secretBox,
    async stop() {
      await sender.close();
      await runtime.stop();
    },
  };
}

/** A new merchant. */
export async function createMerchant({ db }: Pick<Connection, 'db'>): Promise<string> {
  const id = newId('mer');
  const name = randomBytes(8).toString('hex');
  await db
    .insertInto('merchant')
    .values({ id, name, email: `${name}@shop.example`, plan: 'unlimited', settings: '{}' })
    .execute();
  return id;
}

export async function addEndpoint(
  { db }: Pick<Connection, 'db'>,
  endpoint: { merchantId: string; url: string; events?: readonly string[]; modes?: readonly Mode[] },
): Promise<{ id: string; secret: string }> {
  const secretBox = createSecretBox(TEST_KEY);
  const { events = null, ...spec } = endpoint;
  const terms = { secretBox, urls: LOOPBACK, plansEnabled: false };
  const made = await db.transaction().execute((trx) => {
    const change = { trx, who: 'a test', now: Date.now() };
    return createEndpoint(change, terms, { ...spec, events });
  });
  return { id: made.endpoint.id, secret: made.secret };
}

/** Raises an event as a payment would. Returns it when its deliveries are owed. */
export async function raiseEvent(
  { runtime, clock }: Pick<WebhookService, 'runtime' | 'clock'>,
  { db }: Pick<Connection, 'db'>,
  { merchantId, event = 'payment.completed', mode = 'live' }: { merchantId: string; event?: string; mode?: Mode },
): Promise<NewWebhookEvent> {
  const raised = newEvent({ merchantId, event, mode, at: clock.now() });
  await raiseEvents(runtime, { db }, [raised]);
  return raised;
}

/** Stores events and requests their first attempts, in one commit. */
export async function raiseEvents(
  { relay }: Pick<Runtime, 'relay'>,
  { db }: Pick<Connection, 'db'>,
  events: readonly NewWebhookEvent[],
): Promise<void> {
  relay.publish(await db.transaction().execute((trx) => raiseWebhookEvents(trx, events)));
}

export function newEvent({
  merchantId,
  event,
  mode = 'live',
  at,
}: {
  merchantId: string;
  event: string;
  mode?: Mode;
  at: number;
}): NewWebhookEvent {
  const transactionId = newId('txn');
  const id = webhookEventId(transactionId, { sequence: 1, event });
  // Extra spaces and non-ASCII letters: re-serialising the value would change the bytes.
  const body = `{ "id":"${id}",  "event":"${event}", "mode":"${mode}", "metadata":{"name":"Zoë ✓"} }`;
  return { id, actorId: transactionId, merchantId, transactionId, event, mode, body, createdAt: at };
}

export function deliveriesOf({ db }: Pick<Connection, 'db'>, eventId: string) {
  return db.selectFrom('webhook_delivery').selectAll().where('webhook_event_id', '=', eventId).orderBy('id').execute();
}

export async function deliveryOf(connection: Pick<Connection, 'db'>, eventId: string) {
  const [delivery, ...others] = await deliveriesOf(connection, eventId);
  if (delivery === undefined || others.length > 0) throw new Error(`${others.length + 1} deliveries instead of one`);
  return delivery;
}

export function attemptsOf({ db }: Pick<Connection, 'db'>, deliveryId: string) {
  return db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('started_at')
    .orderBy('attempt')
    .execute();
}

// Helpers

function cidr(text: string) {
  const parsed = parseCidr(text);
  if (parsed === null) throw new Error(`${text} is no address block`);
  return parsed;
}
