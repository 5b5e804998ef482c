import { readFileSync } from 'node:fs';
import { Compile } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { PAYMENT_EVENTS } from '../../../machines/index.ts';
import { paymentEventBody } from '../../../src/payments/projection/webhook-body.ts';
import { recurringEventBody } from '../../../src/recurring/webhook-body.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../src/webhooks/index.ts';
import { sampleEventBody } from '../../../src/webhooks/sample-event.ts';

const PUBLIC_URL = 'https://pay.example';
const AT = Date.UTC(2026, 10, 21);
const sample = (event: (typeof WEBHOOK_EVENT_TYPES)[number]) =>
  JSON.parse(sampleEventBody({ id: 'evt_1', event, mode: 'live', at: AT, publicUrl: PUBLIC_URL })) as Record<
    string,
    unknown
  >;

test('there is a sample of all thirteen events', () => {
  expect(WEBHOOK_EVENT_TYPES).toHaveLength(13);
  for (const event of WEBHOOK_EVENT_TYPES) {
    expect(sample(event)).toMatchObject({ id: 'evt_1', event, timestamp: '2026-11-21T00:00:00.000Z' });
  }
});

describe('the sample of a payment event', () => {
  const document = JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8')) as {
    readonly components: object;
  };
  const schema = Compile({ $ref: '#/components/schemas/PaymentWebhook', components: document.components });

  test.each(PAYMENT_EVENTS)('%s has the fields of a real one, in their order', (event) => {
    const body = sample(event);
    expect(schema.Errors(body)).toEqual([true, []]);
    expect(Object.keys(body)).toEqual(Object.keys(JSON.parse(realBody(body))));
    expect(realBody(body)).toBe(JSON.stringify(body));
    expect(body.metadata).toEqual({ test: true });
  });
});

/** The table of the interface document, copied by hand, plus `sequence`, which the service adds. */
const RECURRING_FIELDS: Readonly<Record<string, RegExp>> = {
  id: /^evt_1$/,
  event: /^recurring\.(confirmed|payment\.completed|payment\.unpaid|stopped)$/,
  mode: /^live$/,
  timestamp: /^2026-11-21T00:00:00\.000Z$/,
  sequence: /^[12]$/,
  schedule_id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  reference: /^test$/,
  customer_email: /^[^@]+@example\.com$/,
  description: /\S/,
  amount_fiat: /^\d+(\.\d+)?$/,
  currency_fiat: /^(USD|PLN|EUR|GBP)$/,
  interval: /^(weekly|monthly|quarterly|yearly)$/,
  status: /^(pending_confirmation|active|paused|cancelled|stopped_by_customer|bounced|expired_unconfirmed)$/,
  period_no: /^1$/,
  transaction_id: /^txn_/,
  reason: /^(stopped_by_customer|bounced|unconfirmed)$/,
};

describe('the sample of a recurring event', () => {
  const OF_SOME: Readonly<Record<string, readonly string[]>> = {
    'recurring.confirmed': [],
    'recurring.payment.completed': ['period_no', 'transaction_id'],
    'recurring.payment.unpaid': ['period_no'],
    'recurring.stopped': ['reason'],
  };

  test.each(Object.keys(OF_SOME))('%s has exactly the fields of the API', (event) => {
    const body = sample(event as (typeof WEBHOOK_EVENT_TYPES)[number]);
    const sometimes = ['period_no', 'transaction_id', 'reason'];
    const always = Object.keys(RECURRING_FIELDS).filter((field) => !sometimes.includes(field));
    expect(Object.keys(body).sort()).toEqual([...always, ...(OF_SOME[event] ?? [])].sort());
    for (const [field, value] of Object.entries(body))
      expect(String(value), field).toMatch(RECURRING_FIELDS[field] ?? /^$/);
  });

  test.each(Object.keys(OF_SOME))('%s has the fields of a real one, in their order', (event) => {
    const body = sample(event as (typeof WEBHOOK_EVENT_TYPES)[number]);
    expect(realRecurringBody(body)).toBe(JSON.stringify(body));
  });
});

// Helpers

/** The body the service would write for a payment in the state of the sample. */
function realBody(body: Readonly<Record<string, unknown>>): string {
  type Request = Parameters<typeof paymentEventBody>[0];
  const { id, event, status, exception = null, sequence, transaction_id: transactionId, metadata } = body;
  const { amount_fiat: amountFiat, amount_usd: amountUsd, amount_crypto: amountCrypto } = body;
  const quote = { amountFiat, amountUsd, amountCrypto, currencyFiat: body.currency_fiat };
  return paymentEventBody({
    id,
    at: AT,
    notification: { event, status, exception, sequence },
    context: { transactionId, mode: body.mode, crypto: body.currency_crypto, quote },
    details: { orderId: null, metadata },
    publicUrl: PUBLIC_URL,
    // Only the fields of a payload: the rest of the terms and chain data does not reach it.
  } as unknown as Request);
}

/** The same for a schedule. */
function realRecurringBody(body: Readonly<Record<string, unknown>>): string {
  type Request = Parameters<typeof recurringEventBody>[0];
  const { id, event, sequence, status, reason, period_no: periodNo, transaction_id: transactionId } = body;
  const { reference, description, interval } = body;
  const { customer_email: customerEmail, amount_fiat: amountFiat, currency_fiat: currencyFiat } = body;
  return recurringEventBody({
    id,
    at: AT,
    scheduleId: body.schedule_id,
    schedule: { mode: body.mode, reference, customerEmail, description, amountFiat, currencyFiat, interval },
    status,
    notification: { event, sequence, periodNo, transactionId, reason },
    // A sample matches its event type, so this notification has that type too.
  } as unknown as Request);
}
