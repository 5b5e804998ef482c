/**
 * Uses the three entries of the package in strict TypeScript: requesting a payment from a running
 * service, verifying a webhook, taking a step of a chart. test/package/install.full.test.ts runs it
 * where only the package is installed.
 */
import fc from 'fast-check';
import { type Client, createClient, type Transaction, verifyWebhook, type WebhookEvent } from 'quittance/client';
import { type DeliveryContext, type DeliveryTerms, deliveryMachine } from 'quittance/machines';
import {
  type Delivery,
  deliveriesOf,
  type PaymentHistory,
  paymentHistories,
  TEST_WEBHOOK_SECRET,
} from 'quittance/testing';
import { initialTransition, transition } from 'xstate';

const { QUITTANCE_URL = '', QUITTANCE_KEY = '' } = process.env;
const client: Client = createClient({ baseUrl: `${QUITTANCE_URL}/v1`, apiKey: QUITTANCE_KEY });
const created: Transaction = await client.create({ crypto: 'LTC', amount: 25, currency_fiat: 'EUR' });

// A webhook as the service would have sent it, from a payment that can really happen.
const histories: fc.Arbitrary<PaymentHistory> = paymentHistories();
const deliveries = histories.chain((history) => deliveriesOf(history, { secret: TEST_WEBHOOK_SECRET }));
const [delivery]: readonly Delivery[] = fc.sample(deliveries, { numRuns: 100, seed: 1 }).flat();
if (delivery === undefined) throw new Error('no history had a webhook');
const now = () => delivery.sentAt;
const event: WebhookEvent = verifyWebhook(delivery.rawBody, delivery.headers, TEST_WEBHOOK_SECRET, {
  mode: 'live',
  now,
});

// A step of a chart: pure, so it needs no service.
const terms: DeliveryTerms = {
  deliveryId: 'dlv_1',
  endpointId: 'whk_1',
  webhookEventId: 'evt_1',
  createdAt: 1_000,
  earlierAttempts: 0,
};
const [sending] = initialTransition(deliveryMachine, terms);
const taken = { type: 'sender.attempt_succeeded', at: 2_000, attempt: 1, status: 204 } as const;
const [delivered] = transition(deliveryMachine, sending, taken);
const context: DeliveryContext = delivered.context;

console.log(
  JSON.stringify({
    id: created.transaction_id,
    status: created.status,
    event: event.event === delivery.event.event,
    delivered: [delivered.value, delivered.status, context.endedAt],
  }),
);
