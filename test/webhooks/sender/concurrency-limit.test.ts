import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import type { Bus } from '../../../src/platform/bus/index.ts';
import { SEND_QUEUE } from '../../../src/webhooks/index.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { createOpened } from '../../support/opened.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { POLLING } from '../../support/polling.ts';
import { createTestBus } from '../../support/service/engine.ts';
import {
  addEndpoint,
  createMerchant,
  fixedSlots,
  newEvent,
  raiseEvents,
  startWebhookService,
  type WebhookService,
  type WebhookServiceOptions,
} from '../harness.ts';

const MANY = 30;
/** A lost attempt is requested again after five minutes; nothing here may depend on that. */
const STEP_MS = 1_000;
const STEPS = 240;

describeDatabases('more deliveries than the sender has slots for', (database) => {
  const opened = createOpened();

  afterEach(async () => {
    await opened.closeAll();
    await database().db.deleteFrom('timer').execute();
  });

  async function start(options: Partial<WebhookServiceOptions> = {}): Promise<WebhookService> {
    const service = await startWebhookService({ connection: database(), random: () => 0.5, ...options });
    opened.push(service);
    return service;
  }

  async function shop(): Promise<{ merchantId: string; endpointId: string; receiver: Receiver }> {
    const receiver = await startReceiver();
    opened.push(receiver);
    const merchantId = await createMerchant(database());
    const { id } = await addEndpoint(database(), { merchantId, url: receiver.url });
    return { merchantId, endpointId: id, receiver };
  }

  async function raiseMany(service: WebhookService, merchantId: string): Promise<void> {
    const at = service.clock.now();
    const events = Array.from({ length: MANY }, () => newEvent({ merchantId, event: 'payment.completed', at }));
    await raiseEvents(service.runtime, database(), events);
  }

  const deliveries = (endpointId: string) =>
    database().db.selectFrom('webhook_delivery').selectAll().where('endpoint_id', '=', endpointId).execute();

  const dueTimers = (now: number) =>
    database()
      .db.selectFrom('timer')
      .select('name')
      .where('due_at', '<=', sql<number>`${new Date(now)}::timestamptz`)
      .execute();

  const all = (row: string) => Array.from({ length: MANY }, () => row);

  test('are all sent at the pace of their receiver, each once and with its first attempt, and none waits five minutes', async () => {
    const { merchantId, endpointId, receiver } = await shop();
    const service = await start({ limits: { ...fixedSlots(1), maxWaiting: 2 } });
    await raiseMany(service, merchantId);
    let sentAway = 0;
    for (let step = 0; step < STEPS; step += 1) {
      // The clock stands still while attempts are in flight.
      const waiting = await vi.waitFor(async () => {
        expect(await dueTimers(service.clock.now())).toEqual([]);
        const rows = await deliveries(endpointId);
        expect(rows.filter(({ state }) => state === 'sending')).toEqual([]);
        return rows.filter(({ state }) => state === 'waiting');
      }, POLLING);
      sentAway = Math.max(sentAway, waiting.length);
      if (waiting.length === 0) break;
      expect(waiting.every(({ last_failure, attempt }) => last_failure === 'held_back' && attempt === 0)).toBe(true);
      service.clock.advance(STEP_MS);
    }
    expect(sentAway).toBeGreaterThan(0);
    await vi.waitFor(async () => {
      const rows = await deliveries(endpointId);
      expect(rows.map(({ state, attempt }) => `${state} ${attempt}`)).toEqual(all('delivered 1'));
    }, POLLING);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(MANY);
    expect(receiver.requests).toHaveLength(MANY);
    expect(receiver.requests.every(({ headers }) => headers['x-service-attempt'] === '1')).toBe(true);
  });

  test('waiting when the service stops are sent immediately when it starts again', async () => {
    const { merchantId, endpointId, receiver } = await shop();
    const clock = createTestClock();
    receiver.plan({ kind: 'hang' });
    let handled = 0;
    const bus = createTestBus(database());
    const counting: Bus = {
      ...bus,
      subscribe: (options, handle) =>
        bus.subscribe(options, async (message) => {
          await handle(message);
          if (options.queue === SEND_QUEUE) handled += 1;
        }),
    };
    const first = await start({ clock, limits: fixedSlots(1), bus: counting });
    await raiseMany(first, merchantId);
    await vi.waitFor(() => expect([receiver.requests.length, handled]).toEqual([1, MANY - 1]), POLLING);
    const stopped = first.stop();
    await vi.waitFor(async () => {
      const rows = await deliveries(endpointId);
      // Due at once, so a timer may already have requested them again.
      expect(rows.filter(({ last_failure }) => last_failure === 'held_back')).toHaveLength(MANY - 1);
    }, POLLING);
    receiver.release();
    await stopped;
    // The clock stands still: no timer can fire.
    await start({ clock });
    await vi.waitFor(async () => {
      const rows = await deliveries(endpointId);
      expect(rows.filter(({ state }) => state === 'delivered').length).toBeGreaterThanOrEqual(MANY - 1);
    }, POLLING);
  });
});
