import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { useApp } from '../http/api/support.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { type ReceivedWebhook, type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { POLLING } from '../support/polling.ts';
import { PUBLIC_URL } from '../support/service/app.ts';
import { addEndpoint, LOOPBACK, TEST_KEY } from '../webhooks/harness.ts';
import { sendRequest } from './harness.ts';
import { runScenario, SCENARIOS, type Scenario } from './scenarios.ts';
import { PAYMENT_EVENTS, paymentEvent } from './tables/webhook.ts';
import { type KnownEndpoint, walkDelivery } from './walk-delivery.ts';

/** The fields that the tests check beyond the table. */
interface PaymentEvent {
  readonly id: string;
  readonly event: string;
  readonly transaction_id: string;
  readonly sequence: number;
  readonly receipt_url?: string;
}

const METADATA = { order: '1042', name: 'Zażółć' };

describeDatabases("the webhooks that a merchant's endpoint receives", (database) => {
  const { app, merchant } = useApp(database, { webhooks: LOOPBACK, secretBox: createSecretBox(TEST_KEY) });
  let receiver: Receiver;
  let endpoint: KnownEndpoint;

  beforeAll(async () => {
    receiver = await startReceiver();
    const events = Object.keys(PAYMENT_EVENTS);
    endpoint = await addEndpoint(database(), { merchantId: merchant().id, url: receiver.url, events });
    await database().db.updateTable('merchant').set({ plan: 'enterprise' }).where('id', '=', merchant().id).execute();
  });
  afterAll(() => receiver?.close());

  const walkPayment = (delivery: ReceivedWebhook) =>
    walkDelivery(delivery, endpoint, paymentEvent(eventIn(delivery).event));

  /** The deliveries about a transaction by sequence, once there are `count`. */
  async function deliveriesOf(id: string, count: number): Promise<ReceivedWebhook[]> {
    const about = () => receiver.requests.filter((request) => eventIn(request).transaction_id === id);
    await vi.waitFor(() => expect(about()).toHaveLength(count), POLLING);
    return about().sort((one, other) => eventIn(one).sequence - eventIn(other).sequence);
  }

  test.each(SCENARIOS)('about a payment that is $name', async (scenario) => {
    const id = await runScenario(app(), merchant().keys.sk_test, scenario, { metadata: METADATA });
    const deliveries = await deliveriesOf(id, scenario.events.length);
    expect(deliveries.map((each) => eventIn(each).event)).toEqual(scenario.events.map((name) => `payment.${name}`));
    for (const delivery of deliveries) expect(walkPayment(delivery)).toEqual([]);
    for (const { receipt_url } of deliveries.map(eventIn)) {
      expect([undefined, `${PUBLIC_URL}/transaction/${id}`]).toContain(receipt_url);
    }
  });

  test('about an itemized payment: items and order id as well, all money as decimal strings', async () => {
    const key = merchant().keys.sk_test;
    const items = [{ name: 'Tea', quantity: 3, price: 19.99 }];
    const body = { crypto: 'LTC', items, order_id: '2026/1042', currency_fiat: 'GBP' };
    const created = await sendRequest(app(), 'createDetailedTransaction', { key, body });
    const [delivery] = await deliveriesOf(created.body.data.transaction_id, 1);
    if (delivery === undefined) throw new Error('nothing was delivered');
    expect(walkPayment(delivery)).toEqual([]);
    expect(eventIn(delivery)).toMatchObject({
      order_id: '2026/1042',
      amount_fiat: '59.97',
      items: [{ name: 'Tea', quantity: 3, price: '19.99' }],
      metadata: null,
    });
  });

  test('are repeated with the same id and body, and the next attempt number, when it does not respond with 2xx', async () => {
    receiver.plan({ kind: 'status', status: 500 });
    const { transaction_id: id } = await app().create(merchant().keys.sk_test);
    await deliveriesOf(id, 1);
    const retried = () => {
      // Longer than the first delay, whatever the jitter.
      app().clock.advance(20_000);
      expect(receiver.requests.filter((request) => eventIn(request).transaction_id === id)).toHaveLength(2);
    };
    await vi.waitFor(retried, POLLING);
    const [first, second] = await deliveriesOf(id, 2);
    expect(second?.body).toBe(first?.body);
    expect([first, second].map((each) => each?.headers['x-service-attempt'])).toEqual(['1', '2']);
    for (const each of [first, second]) expect(each === undefined ? [] : walkPayment(each)).toEqual([]);
  });
});

test('every payment event occurs in some scenario', () => {
  const sent = new Set(SCENARIOS.flatMap(({ events }: Scenario) => events.map((name) => `payment.${name}`)));
  expect([...sent].sort()).toEqual(Object.keys(PAYMENT_EVENTS).sort());
});

// Helpers

function eventIn({ body }: ReceivedWebhook): PaymentEvent {
  const event: PaymentEvent = JSON.parse(body);
  return event;
}
