import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import type { Resolve } from '../../../src/webhooks/guard/resolve.ts';
import { BREAKER_RULES } from '../../../src/webhooks/sender/breaker.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { createOpened } from '../../support/opened.ts';
import { OK, type Receiver, type ReceiverResponse, startReceiver } from '../../support/outside/receiver.ts';
import { POLLING } from '../../support/polling.ts';
import {
  addEndpoint,
  attemptsOf,
  createMerchant,
  deliveryOf,
  fixedSlots,
  newEvent,
  raiseEvent,
  raiseEvents,
  startWebhookService,
  type WebhookService,
  type WebhookServiceOptions,
} from '../harness.ts';

const MANY = 40;
const PLACES = 4;
const BROKEN: ReceiverResponse = { kind: 'status', status: 503 };
const { firstPauseMs, minDeliveries, probeWaitMs } = BREAKER_RULES;

describeDatabases('an endpoint that fails nearly every delivery', (database) => {
  const opened = createOpened();

  afterEach(async () => {
    await opened.closeAll();
    await database().db.deleteFrom('timer').execute();
  });

  async function start(options: Partial<WebhookServiceOptions> = {}): Promise<WebhookService> {
    const limits = { ...fixedSlots(PLACES), maxUnpausedBacklog: 0, ...options.limits };
    const service = await startWebhookService({ connection: database(), random: () => 0.5, ...options, limits });
    opened.push(service);
    return service;
  }

  async function shop(
    usual: ReceiverResponse,
  ): Promise<{ merchantId: string; endpointId: string; receiver: Receiver }> {
    const receiver = await startReceiver();
    opened.push(receiver);
    receiver.usually(usual);
    const merchantId = await createMerchant(database());
    const { id } = await addEndpoint(database(), { merchantId, url: receiver.url });
    return { merchantId, endpointId: id, receiver };
  }

  async function raiseMany(service: WebhookService, merchantId: string, count: number): Promise<string[]> {
    const at = service.clock.now();
    const events = Array.from({ length: count }, () => newEvent({ merchantId, event: 'payment.completed', at }));
    await raiseEvents(service.runtime, database(), events);
    return events.map(({ id }) => id);
  }

  /**
   * The deliveries of an endpoint, once no timer is due and, checked after that, no attempt is in
   * flight.
   */
  function settled(service: WebhookService, endpointId: string, count: number) {
    return vi.waitFor(async () => {
      const { db } = database();
      const due = await db
        .selectFrom('timer')
        .innerJoin('webhook_delivery', 'webhook_delivery.id', 'timer.actor_id')
        .select('timer.name')
        .where('endpoint_id', '=', endpointId)
        .where('due_at', '<=', sql<number>`${new Date(service.clock.now())}::timestamptz`)
        .execute();
      expect(due).toEqual([]);
      const rows = await db.selectFrom('webhook_delivery').selectAll().where('endpoint_id', '=', endpointId).execute();
      expect(rows).toHaveLength(count);
      expect(rows.filter(({ state }) => state === 'sending')).toEqual([]);
      return rows;
    }, POLLING);
  }

  test('is held back: waiting deliveries are deferred without an attempt, and after a pause one probe is sent', async () => {
    const { merchantId, endpointId, receiver } = await shop(BROKEN);
    const service = await start();
    await raiseMany(service, merchantId, MANY);
    const first = await settled(service, endpointId, MANY);
    const tried = receiver.requests.length;
    // Attempts in flight when the endpoint was held back ended normally.
    expect(tried).toBeGreaterThanOrEqual(minDeliveries);
    expect(tried).toBeLessThan(minDeliveries + PLACES);
    const deferred = first.filter(({ last_failure }) => last_failure === 'held_back');
    expect(deferred).toHaveLength(MANY - tried);
    for (const delivery of deferred) {
      expect(delivery).toMatchObject({ state: 'waiting', attempt: 0, last_status: null });
      expect(await attemptsOf(database(), delivery.id)).toEqual([]);
    }

    // Everything is due by now, including retries of the first attempts.
    service.clock.advance(firstPauseMs);
    await settled(service, endpointId, MANY);
    expect(receiver.requests).toHaveLength(tried + 1);
    const probes = await database().db.selectFrom('webhook_attempt').selectAll().where('is_probe', '=', true).execute();
    expect(probes).toHaveLength(1);
    expect(probes[0]).toMatchObject({ status: 503, failure: 'status' });

    receiver.usually(OK);
    service.clock.advance(2 * firstPauseMs);
    await settled(service, endpointId, MANY);
    service.clock.advance(probeWaitMs);
    await vi.waitFor(async () => {
      const rows = await settled(service, endpointId, MANY);
      expect(rows.every(({ state }) => state === 'delivered')).toBe(true);
    }, POLLING);
    checkNumbers(receiver);
  });

  test('a failed probe does not count against its delivery, which keeps its place in the schedule', async () => {
    const { merchantId, endpointId, receiver } = await shop(BROKEN);
    const service = await start();
    await raiseMany(service, merchantId, minDeliveries);
    await settled(service, endpointId, minDeliveries);
    // Retries of all ten come due; after each pause, one of them goes out as a probe.
    for (let round = 0; round < 4; round += 1) {
      service.clock.advance(BREAKER_RULES.longestPauseMs);
      await settled(service, endpointId, minDeliveries);
    }
    const rows = await database()
      .db.selectFrom('actor')
      .innerJoin('webhook_delivery', 'webhook_delivery.id', 'actor.id')
      .select(['actor.id', 'actor.snapshot', 'webhook_delivery.attempt'])
      .where('endpoint_id', '=', endpointId)
      .execute();
    const probes = await database().db.selectFrom('webhook_attempt').selectAll().where('is_probe', '=', true).execute();
    for (const { id, snapshot, attempt } of rows) {
      const probed = probes.filter(({ delivery_id }) => delivery_id === id).length;
      expect((snapshot.context as { made: number }).made).toBe(attempt - probed);
    }
    expect(probes.filter(({ delivery_id }) => rows.some(({ id }) => id === delivery_id))).toHaveLength(4);
    checkNumbers(receiver);
  });

  test('is tried immediately on request, and is released by that success', async () => {
    const { merchantId, endpointId, receiver } = await shop(BROKEN);
    const service = await start();
    await raiseMany(service, merchantId, MANY);
    const waiting = await settled(service, endpointId, MANY);
    const before = receiver.requests.length;
    const ask = async (id: string | undefined, eventId: string) => {
      const event = { type: 'merchant.redelivery_requested' };
      await service.runtime.engine.deliver({ actorId: id ?? '', eventId, event });
    };
    const [one, other] = waiting.filter(({ last_failure }) => last_failure === 'held_back');
    await ask(one?.id, 'asked:1');
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(before + 1), POLLING);
    await settled(service, endpointId, MANY);
    expect(await attemptsOf(database(), one?.id ?? '')).toMatchObject([{ attempt: 1, status: 503, is_probe: true }]);

    receiver.usually(OK);
    await ask(other?.id, 'asked:2');
    await vi.waitFor(async () => {
      expect(await attemptsOf(database(), other?.id ?? '')).toMatchObject([{ status: 200, is_probe: true }]);
    }, POLLING);
    // The pause is not over yet, but new events are no longer held back.
    const event = await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('delivered'), POLLING);
  });

  test('delays no other', async () => {
    const [bad, good] = [await shop(BROKEN), await shop(OK)];
    const service = await start();
    await raiseMany(service, bad.merchantId, MANY);
    await settled(service, bad.endpointId, MANY);
    await raiseMany(service, good.merchantId, MANY);
    const rows = await settled(service, good.endpointId, MANY);
    expect(rows.every(({ state, attempt }) => state === 'delivered' && attempt === 1)).toBe(true);
  });

  test('is not held back for local failures', async () => {
    let isOffline = true;
    const resolve: Resolve = async () => {
      if (isOffline) throw Object.assign(new Error('queryA EAI_AGAIN'), { code: 'EAI_AGAIN', syscall: 'queryA' });
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const receiver = await startReceiver();
    opened.push(receiver);
    const merchantId = await createMerchant(database());
    const url = `http://shop.example:${receiver.port}/hook`;
    const { id: endpointId } = await addEndpoint(database(), { merchantId, url });
    const service = await start({ resolve, limits: { localFaultPauseMs: 1, maxLocalFaults: 1 } });
    await raiseMany(service, merchantId, MANY);
    const failed = await settled(service, endpointId, MANY);
    expect(new Set(failed.map(({ last_failure }) => last_failure))).toEqual(new Set(['dns']));
    isOffline = false;
    service.clock.advance(10_000);
    const rows = await settled(service, endpointId, MANY);
    expect(rows.every(({ state, attempt }) => state === 'delivered' && attempt === 2)).toBe(true);
  });
});

// Helpers

/** Each event always has the same body, with rising attempt numbers. */
function checkNumbers({ requests }: Receiver): void {
  const byId = new Map<string, Receiver['requests'][number][]>();
  for (const request of requests) {
    const id = String(request.headers['webhook-id']);
    byId.set(id, [...(byId.get(id) ?? []), request]);
  }
  for (const each of byId.values()) {
    expect(new Set(each.map(({ body }) => body)).size).toBe(1);
    const numbers = each.map(({ headers }) => Number(headers['x-service-attempt']));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  }
}
