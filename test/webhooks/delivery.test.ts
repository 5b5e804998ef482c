import { afterEach, expect, test, vi } from 'vitest';
import { MAX_ATTEMPTS, RETRY_DELAYS_MS } from '../../machines/index.ts';
import { PARTITIONS } from '../../src/platform/bus/index.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { SEND_QUEUE } from '../../src/webhooks/index.ts';
import { createTestClock } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { createOpened } from '../support/opened.ts';
import { OK, type Receiver, type ReceiverResponse, startReceiver } from '../support/outside/receiver.ts';
import { POLLING } from '../support/polling.ts';
import { level } from '../support/run/level.ts';
import {
  addEndpoint,
  attemptsOf,
  createMerchant,
  deliveriesOf,
  deliveryOf,
  fixedSlots,
  newEvent,
  raiseEvent,
  raiseEvents,
  startWebhookService,
  type WebhookService,
  type WebhookServiceOptions,
} from './harness.ts';

/** Attempts to one endpoint that hang at the same time; each occupies a slot of the bus. */
const HANGING = level.pick({ quick: 2, full: 4 });
/** Bus slots per partition: one more than the hanging attempts, whatever their partitions. */
const PLACES = HANGING + 1;
/** Twice as many deliveries as the bus has slots, so that it would be full if they waited in it. */
const BACKLOG = 2 * PLACES * PARTITIONS;

const BROKEN: ReceiverResponse = { kind: 'status', status: 500, body: 'no' };

describeDatabases('webhook deliveries', (database) => {
  const opened = createOpened();

  afterEach(async () => {
    await opened.closeAll();
  });

  async function start(options: Partial<WebhookServiceOptions> = {}): Promise<WebhookService> {
    const service = await startWebhookService({ connection: database(), ...options });
    opened.push(service);
    return service;
  }

  /** A merchant with one endpoint at its own receiver. */
  async function shop(
    events?: readonly string[],
  ): Promise<{ merchantId: string; endpointId: string; receiver: Receiver }> {
    const receiver = await startReceiver();
    opened.push(receiver);
    const merchantId = await createMerchant(database());
    const { id, secret } = await addEndpoint(database(), {
      merchantId,
      url: receiver.url,
      ...(events === undefined ? {} : { events }),
    });
    receiver.trust(secret);
    return { merchantId, endpointId: id, receiver };
  }

  test('an event is sent to the endpoint once, with the stored bytes and valid signatures', async () => {
    const { merchantId, endpointId, receiver } = await shop();
    const service = await start();
    const event = await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('delivered'), POLLING);

    expect(receiver.requests).toHaveLength(1);
    const [request] = receiver.requests;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/webhooks?shop=7',
      body: event.body,
      isServiceSignatureValid: true,
      isStandardSignatureValid: true,
      headers: {
        'content-type': 'application/json',
        'x-service-event': 'payment.completed',
        'x-webhook-id': endpointId,
        'x-service-attempt': '1',
        'webhook-id': event.id,
        'webhook-timestamp': String(service.clock.now() / 1_000),
      },
    });
    expect(request?.headers['user-agent']).toMatch(/^Quittance\/\d+\.\d+\.\d+$/);
    const delivery = await deliveryOf(database(), event.id);
    expect(delivery).toMatchObject({ attempt: 1, last_status: 200, last_failure: null, endpoint_id: endpointId });
    expect(delivery.ended_at).toBe(service.clock.now());
    expect(await attemptsOf(database(), delivery.id)).toMatchObject([{ attempt: 1, status: 200, failure: null }]);
  });

  test('rule 56: a failing endpoint receives the same id and bytes again after each delay, with increasing attempt numbers', async () => {
    const { merchantId, receiver } = await shop();
    receiver.plan(BROKEN, { kind: 'reset' }, BROKEN);
    const service = await start({ random: () => 0.5 });
    const event = await raiseEvent(service, database(), { merchantId });
    for (const [made, delay] of [10_000, 60_000, 300_000].entries()) {
      await vi.waitFor(async () => {
        expect(await deliveryOf(database(), event.id)).toMatchObject({ state: 'waiting', attempt: made + 1 });
      }, POLLING);
      service.clock.advance(delay);
    }
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('delivered'), POLLING);

    expect(receiver.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4']);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.id]));
    expect(new Set(receiver.requests.map(({ body }) => body))).toEqual(new Set([event.body]));
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-service-signature'])).size).toBe(1);
    expect(receiver.requests.every((request) => request.isStandardSignatureValid)).toBe(true);
    const delivery = await deliveryOf(database(), event.id);
    expect(delivery).toMatchObject({ attempt: 4, last_status: 200, last_failure: 'status' });
    const kinds = (await attemptsOf(database(), delivery.id)).map(({ failure }) => failure);
    expect(kinds).toEqual(['status', 'connection', 'status', null]);
  });

  test('rule 54: ten failed attempts over the whole schedule end the delivery as failed', async () => {
    const { merchantId, receiver } = await shop();
    receiver.usually(BROKEN);
    const service = await start({ random: () => 0.5 });
    const event = await raiseEvent(service, database(), { merchantId });
    for (const [made, delay] of RETRY_DELAYS_MS.entries()) {
      await vi.waitFor(async () => {
        expect(await deliveryOf(database(), event.id)).toMatchObject({ state: 'waiting', attempt: made + 1 });
      }, POLLING);
      service.clock.advance(delay);
    }
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('failed'), POLLING);
    expect(receiver.requests).toHaveLength(MAX_ATTEMPTS);
    const delivery = await deliveryOf(database(), event.id);
    expect(delivery).toMatchObject({ attempt: 10, last_status: 500, last_failure: 'status' });
    expect(delivery.ended_at).toBe(service.clock.now());
    expect(await attemptsOf(database(), delivery.id)).toHaveLength(MAX_ATTEMPTS);
    service.clock.advance(365 * 86_400_000);
    const timers = await database().db.selectFrom('timer').selectAll().where('actor_id', '=', delivery.id).execute();
    expect(timers).toEqual([]);
  });

  test('an event that is raised again, and repeated requests of its first attempt, start no second delivery', async () => {
    const { merchantId, receiver } = await shop();
    const service = await start();
    const event = await raiseEvent(service, database(), { merchantId });
    const again = () => raiseEvents(service.runtime, database(), [event]);
    await Promise.all([again(), again(), again()]);
    const { id: deliveryId, endpoint_id: endpointId } = await deliveryOf(database(), event.id);
    const owed = { webhookEventId: event.id, since: event.createdAt };
    const request = (copy: string) => {
      const data = { deliveryId, endpointId, attempt: 1, owed };
      return service.runtime.bus.publish({ queue: SEND_QUEUE, partition: 0, id: `${copy}:${deliveryId}`, data });
    };
    await Promise.all(['a', 'b', 'c'].map(request));
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('delivered'), POLLING);
    await again();
    await request('late');
    expect(await deliveriesOf(database(), event.id)).toHaveLength(1);
    expect(receiver.requests).toHaveLength(1);
  });

  test('every enabled endpoint of the merchant that subscribed to the type receives it, and no other', async () => {
    const wanting = await shop(['payment.partial', 'payment.completed']);
    const [uninterested, disabled, foreign] = [await startReceiver(), await startReceiver(), await shop()];
    opened.push(uninterested, disabled);
    const { merchantId } = wanting;
    await addEndpoint(database(), { merchantId, url: uninterested.url, events: ['payment.expired'] });
    const off = await addEndpoint(database(), { merchantId, url: disabled.url });
    await disable(off.id);
    const service = await start();
    const event = await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('delivered'), POLLING);
    expect(wanting.receiver.requests).toHaveLength(1);
    expect([uninterested, disabled, foreign.receiver].map(({ connections }) => connections)).toEqual([0, 0, 0]);
  });

  test('an endpoint disabled after the event is not called, and receives events again once enabled', async () => {
    const { merchantId, endpointId, receiver } = await shop();
    receiver.plan(BROKEN);
    const service = await start({ random: () => 0.5 });
    const event = await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('waiting'), POLLING);
    await disable(endpointId);
    service.clock.advance(10_000);
    await vi.waitFor(async () => {
      expect(await deliveryOf(database(), event.id)).toMatchObject({ attempt: 2, last_failure: 'endpoint_gone' });
    }, POLLING);
    expect(receiver.requests).toHaveLength(1);
    await database().db.updateTable('webhook_endpoint').set({ enabled: true }).where('id', '=', endpointId).execute();
    service.clock.advance(60_000);
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('delivered'), POLLING);
    expect(receiver.requests.at(-1)?.headers['x-service-attempt']).toBe('3');
  });

  test('a response that is lost before its commit makes the same attempt again with the same id', async () => {
    const { merchantId, receiver } = await shop();
    const clock = createTestClock();
    const lost = await start({
      clock,
      limits: { closeGraceMs: 10 },
      wrapEngine: (engine) => ({
        start: (command) => engine.start(command),
        deliver: () => Promise.reject(new RetryableError('DATABASE_UNAVAILABLE', 'gone', { retryAfterMs: 60_000 })),
      }),
    });
    const event = await raiseEvent(lost, database(), { merchantId });
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), POLLING);
    await lost.stop();
    expect(await deliveryOf(database(), event.id)).toMatchObject({ state: 'sending', attempt: 1, last_status: null });

    await start({ clock });
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('delivered'), POLLING);
    expect(receiver.requests).toHaveLength(2);
    expect(receiver.requests[1]?.body).toBe(receiver.requests[0]?.body);
    for (const name of ['webhook-id', 'x-service-attempt', 'x-service-signature']) {
      expect(receiver.requests[1]?.headers[name]).toBe(receiver.requests[0]?.headers[name]);
    }
    expect(receiver.requests[1]?.headers['x-service-attempt']).toBe('1');
  });

  test('an attempt that was not made for five minutes is requested again by the delivery', async () => {
    const { merchantId, receiver } = await shop();
    const clock = createTestClock();
    // With no grace period on close, waiting attempts are lost, as in a crash.
    const service = await start({ clock, limits: { ...fixedSlots(1), maxExtra: 0, closeGraceMs: 0 } });
    receiver.plan(BROKEN, { kind: 'hang' });
    const event = await raiseEvent(service, database(), { merchantId });
    const stateIs = (state: string) => async () => expect((await deliveryOf(database(), event.id)).state).toBe(state);
    await vi.waitFor(stateIs('waiting'), POLLING);
    await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(2), POLLING);
    clock.advance(11_000);
    await vi.waitFor(stateIs('sending'), POLLING);
    await vi.waitFor(async () => expect(await outboxLength()).toBe(0), POLLING);
    await service.stop();
    receiver.release();
    await start({ clock });
    expect(await deliveryOf(database(), event.id)).toMatchObject({ state: 'sending', attempt: 2 });
    clock.advance(5 * 60_000);
    await vi.waitFor(stateIs('delivered'), POLLING);
    expect(receiver.requests.filter(({ headers }) => headers['webhook-id'] === event.id)).toHaveLength(2);
  });

  test('a first attempt that waited in a process that died is made by the next one', async () => {
    const { merchantId, receiver } = await shop();
    const clock = createTestClock();
    const service = await start({ clock, limits: { ...fixedSlots(1), closeGraceMs: 0 } });
    receiver.plan({ kind: 'hang' });
    await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), POLLING);
    const second = await raiseEvent(service, database(), { merchantId });
    await service.stop();
    receiver.release();
    await start({ clock });
    expect(await deliveryOf(database(), second.id)).toMatchObject({ state: 'sending', attempt: 1 });
    await vi.waitFor(async () => expect((await deliveryOf(database(), second.id)).state).toBe('delivered'), POLLING);
    expect(receiver.requests.filter(({ headers }) => headers['webhook-id'] === second.id)).toHaveLength(1);
  });

  test('a redelivered message after its attempt is over sends nothing', async () => {
    const { merchantId, endpointId, receiver } = await shop();
    receiver.plan(BROKEN, { kind: 'hang' });
    const service = await start({ random: () => 0.5 });
    const event = await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('waiting'), POLLING);
    const { id } = await deliveryOf(database(), event.id);
    const repeat = (attempt: number) => {
      const message = { queue: 'webhook-send', partition: 0, id: `repeat:${attempt}`, attempt: 1 };
      return service.sender.handle({ ...message, data: { deliveryId: id, endpointId, attempt } });
    };
    await repeat(1);
    expect(receiver.requests).toHaveLength(1);
    service.clock.advance(10_000);
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(2), POLLING);
    // The second attempt is in flight now: the first must not interleave, nor the second run twice.
    await repeat(1);
    await repeat(2);
    receiver.release();
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('delivered'), POLLING);
    await repeat(2);
    await repeat(3);
    expect(receiver.requests).toHaveLength(2);
  });

  test('rule 58: a backlog to an unresponsive endpoint does not delay another endpoint', async () => {
    const [hole, good] = [await shop(), await shop()];
    hole.receiver.usually({ kind: 'hang' });
    // Far longer than the test takes on a busy machine: the first attempts still hang at its end.
    const limits = { ...fixedSlots(HANGING), timeoutMs: 120_000 };
    const service = await start({ limits, maxInFlightPerPartition: PLACES });
    const backlog = await raiseMany(service, hole.merchantId, BACKLOG);
    await vi.waitFor(() => expect(hole.receiver.requests).toHaveLength(HANGING), POLLING);
    const others = await raiseMany(service, good.merchantId, 20);
    await vi.waitFor(async () => expect(await countDelivered(others)).toBe(20), POLLING);
    expect(hole.receiver.requests).toHaveLength(HANGING);

    hole.receiver.usually(OK);
    hole.receiver.release();
    // Polls the receiver, which costs the busy database nothing.
    await vi.waitFor(() => expect(hole.receiver.requests).toHaveLength(BACKLOG), POLLING);
    await vi.waitFor(async () => expect(await countDelivered(backlog)).toBe(BACKLOG), POLLING);
    expect(new Set(hole.receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(BACKLOG);
    expect(hole.receiver.requests).toHaveLength(BACKLOG);
  });

  async function raiseMany(service: WebhookService, merchantId: string, count: number): Promise<string[]> {
    const at = service.clock.now();
    const events = Array.from({ length: count }, () => newEvent({ merchantId, event: 'payment.completed', at }));
    await raiseEvents(service.runtime, database(), events);
    return events.map(({ id }) => id);
  }

  async function countDelivered(eventIds: readonly string[]): Promise<number> {
    const { db } = database();
    const rows = await db
      .selectFrom('webhook_delivery')
      .select('id')
      .where('webhook_event_id', 'in', [...eventIds])
      .where('state', '=', 'delivered')
      .execute();
    return rows.length;
  }

  async function disable(endpointId: string): Promise<void> {
    await database().db.updateTable('webhook_endpoint').set({ enabled: false }).where('id', '=', endpointId).execute();
  }

  async function outboxLength(): Promise<number> {
    return (await database().db.selectFrom('outbox_message').select('id').execute()).length;
  }
});
