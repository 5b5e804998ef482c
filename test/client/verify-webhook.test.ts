import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isPaymentEvent,
  isRecurringEvent,
  serviceSignature,
  standardSignature,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookHeaders,
} from '../../src/client/index.ts';
import { newWebhookSecret } from '../../src/platform/secrets/index.ts';
import { webhookHeaders } from '../../src/webhooks/sign.ts';
import { assertProperty, textOfAnyCharacters } from '../support/run/fast-check.ts';

const SECRET = newWebhookSecret();
const AT = Date.UTC(2026, 10, 21, 10, 12, 44);
const now = () => AT;

const EVENT = {
  id: 'evt_3k7rj0v6m2c9xq5w1t8e4hzn0d',
  event: 'payment.completed',
  mode: 'live',
  timestamp: new Date(AT).toISOString(),
  sequence: 3,
  transaction_id: 'txn_9f2m7c1x5q8w3t6v0k4e7hzr2d',
  status: 'completed',
  metadata: { note: 'zażółć – 日本語' },
};
const BODY = JSON.stringify(EVENT);
const RECURRING = {
  id: EVENT.id,
  event: 'recurring.payment.completed',
  mode: 'live',
  timestamp: EVENT.timestamp,
  sequence: 2,
  schedule_id: '0d6f2c1e-5b7a-4c39-9e14-8a2f7b61c5d3',
  reference: 'member 77',
  customer_email: 'jo@example.com',
  description: 'Membership of the climbing hall',
  amount_fiat: '25',
  currency_fiat: 'EUR',
  interval: 'monthly',
  status: 'active',
  period_no: 1,
  transaction_id: EVENT.transaction_id,
};
const SERVICE_ONLY = { 'x-service-signature': serviceSignature(SECRET, Buffer.from(BODY)) };

/** Headers as the service sends them. */
function headersOf(body: string, secret = SECRET, at = AT): Record<string, string> {
  const { id: webhookEventId, event } = EVENT;
  return webhookHeaders({ webhookEventId, event, mode: 'live', body, endpointId: 'whk_1', attempt: 1, at, secret });
}

function standardOnly(headers: Record<string, string>): Record<string, string> {
  const { 'x-service-signature': _, ...rest } = headers;
  return rest;
}

/** The error code; null when it is accepted. */
function rejection(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: Partial<VerifyOptions> = {},
): string | null {
  try {
    verifyWebhook(body, headers, secret, { now, mode: 'live', ...options });
    return null;
  } catch (error) {
    if (error instanceof WebhookError) return error.code;
    throw error;
  }
}

describe('a webhook from the service', () => {
  test('is accepted with both signatures or with one of them, as text and as bytes', () => {
    const headers = headersOf(BODY);
    for (const body of [BODY, Buffer.from(BODY), new Uint8Array(Buffer.from(BODY))]) {
      for (const given of [headers, SERVICE_ONLY, standardOnly(headers), new Headers(headers)]) {
        expect(verifyWebhook(body, given, SECRET, { mode: 'live', now })).toEqual(EVENT);
      }
    }
  });

  test('is accepted with header names in any case, and with more than one standard signature', () => {
    const headers = Object.entries(headersOf(BODY)).map(([name, value]) => [name.toUpperCase(), [value]] as const);
    expect(rejection(BODY, Object.fromEntries(headers), SECRET)).toBeNull();
    const several = { ...headersOf(BODY), 'webhook-signature': `v1,AAAA ${headersOf(BODY)['webhook-signature']}` };
    expect(rejection(BODY, several, SECRET)).toBeNull();
  });

  test('has the signatures that this client computes, for any body and secret', () => {
    assertProperty(
      fc.property(textOfAnyCharacters(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (body, key) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const sent = headersOf(body, secret);
        const rawBody = Buffer.from(body);
        const timestamp = String(Math.floor(AT / 1_000));
        expect(serviceSignature(secret, rawBody)).toBe(sent['x-service-signature']);
        expect(standardSignature(secret, { id: EVENT.id, timestamp, rawBody })).toBe(sent['webhook-signature']);
      }),
    );
  });

  test('has a type that narrows its data', () => {
    const payment = verifyWebhook(BODY, headersOf(BODY), SECRET, { mode: 'live', now });
    expect([isPaymentEvent(payment), isRecurringEvent(payment)]).toEqual([true, false]);
    const body = JSON.stringify(RECURRING);
    const recurring = verifyWebhook(body, headersOf(body), SECRET, { mode: 'live', now });
    expect([isPaymentEvent(recurring), isRecurringEvent(recurring)]).toEqual([false, true]);
    if (!isRecurringEvent(recurring)) throw new Error('it is not taken for what it is');
    // As typed.
    const { schedule_id: id, period_no: periodNo, interval, status, reason } = recurring;
    expect({ id, periodNo, interval, status, reason }).toEqual({
      id: RECURRING.schedule_id,
      periodNo: 1,
      interval: 'monthly',
      status: 'active',
      reason: undefined,
    });
  });

  test('of an unknown type is accepted', () => {
    const body = JSON.stringify({ ...EVENT, event: 'recurring.price_changed', sequence: undefined });
    const event = verifyWebhook(body, headersOf(body), SECRET, { mode: 'live', now });
    expect(event.event).toBe('recurring.price_changed');
    expect([isPaymentEvent(event), isRecurringEvent(event)]).toEqual([false, false]);
  });
});

describe('any other request is rejected', () => {
  test('a body with any byte changed, missing or added', () => {
    const bytes = Buffer.from(BODY);
    const position = fc.nat({ max: bytes.length - 1 });
    const change = fc.oneof(
      fc.tuple(position, fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
        return Buffer.concat([bytes.subarray(0, at), Buffer.from([(bytes[at] ?? 0) ^ by]), bytes.subarray(at + 1)]);
      }),
      position.map((at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])),
      fc.tuple(position, fc.nat({ max: 255 })).map(([at, byte]) => {
        return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)]);
      }),
    );
    const given = fc.constantFrom(headersOf(BODY), SERVICE_ONLY, standardOnly(headersOf(BODY)));
    assertProperty(
      fc.property(change, given, (changed, headers) => {
        expect(rejection(changed, headers, SECRET)).toBe('SIGNATURE_WRONG');
      }),
    );
  });

  test('one wrong signature, even if the other one is right', () => {
    const wrong = fc.constantFrom('x-service-signature', 'webhook-signature').chain((name) => {
      const right = headersOf(BODY)[name] ?? '';
      const spoilt = fc.nat({ max: right.length - 1 }).map((at) => `${right.slice(0, at)}~${right.slice(at + 1)}`);
      return fc.record({ name: fc.constant(name), value: fc.oneof(spoilt, fc.constant(''), fc.string()) });
    });
    assertProperty(
      fc.property(wrong, ({ name, value }) => {
        fc.pre(value !== headersOf(BODY)[name]);
        expect(rejection(BODY, { ...headersOf(BODY), [name]: value }, SECRET)).toBe('SIGNATURE_WRONG');
      }),
    );
  });

  test('another secret', () => {
    for (const headers of [headersOf(BODY), SERVICE_ONLY, standardOnly(headersOf(BODY))]) {
      expect(rejection(BODY, headers, newWebhookSecret())).toBe('SIGNATURE_WRONG');
    }
  });

  test.each([
    ['no headers at all', {}, 'SIGNATURE_MISSING'],
    ['no id', { ...headersOf(BODY), 'webhook-id': undefined }, 'SIGNATURE_MISSING'],
    ['no timestamp', { ...headersOf(BODY), 'webhook-timestamp': undefined }, 'SIGNATURE_MISSING'],
    ['a signature that stands there twice', { 'x-service-signature': ['sha256=1', 'sha256=2'] }, 'SIGNATURE_WRONG'],
    ['the id of another event', { ...headersOf(BODY), 'webhook-id': 'evt_other' }, 'SIGNATURE_WRONG'],
  ])('%s', (_, headers, code) => {
    expect(rejection(BODY, headers, SECRET)).toBe(code);
  });

  test('a timestamp more than five minutes off, in either direction, and not a second less', () => {
    assertProperty(
      fc.property(fc.integer({ min: -3_600, max: 3_600 }), (seconds) => {
        const headers = headersOf(BODY, SECRET, AT + seconds * 1_000);
        expect(rejection(BODY, headers, SECRET)).toBe(Math.abs(seconds) <= 300 ? null : 'TIMESTAMP_OUT_OF_RANGE');
      }),
    );
  });

  test('a timestamp that is not a number, even if signed', () => {
    const id = EVENT.id;
    const timestamp = 'NaN';
    const signature = standardSignature(SECRET, { id, timestamp, rawBody: Buffer.from(BODY) });
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    expect(rejection(BODY, headers, SECRET)).toBe('TIMESTAMP_INVALID');
  });

  test('a request without a timestamp, if the caller requires one', () => {
    expect(rejection(BODY, SERVICE_ONLY, SECRET, { requireTimestamp: true })).toBe('SIGNATURE_MISSING');
    expect(rejection(BODY, headersOf(BODY), SECRET, { requireTimestamp: true })).toBeNull();
  });

  test('rule 59: an event of the other mode, even if signed, unless both are expected', () => {
    const body = BODY.replace('"live"', '"test"');
    const serviceOnly = { 'x-service-signature': serviceSignature(SECRET, Buffer.from(body)) };
    // The header is not signed, so a replayed request can change it.
    for (const headers of [headersOf(body), serviceOnly, { ...headersOf(body), 'x-service-mode': 'live' }]) {
      expect(rejection(body, headers, SECRET, { mode: 'live' })).toBe('MODE_WRONG');
      expect(rejection(body, headers, SECRET, { mode: 'test' })).toBeNull();
      expect(rejection(body, headers, SECRET, { mode: 'both' })).toBeNull();
    }
    expect(rejection(BODY, headersOf(BODY), SECRET, { mode: 'test' })).toBe('MODE_WRONG');
  });

  test.each([
    'not JSON',
    '[]',
    'null',
    '{}',
    JSON.stringify({ ...EVENT, sequence: 'three' }),
    JSON.stringify({ ...EVENT, mode: undefined }),
    JSON.stringify({ ...EVENT, mode: 'both' }),
    JSON.stringify({ ...RECURRING, schedule_id: undefined }),
    JSON.stringify({ ...RECURRING, status: '' }),
    JSON.stringify({ ...RECURRING, sequence: 1.5 }),
  ])('a signed body that is not an event: %s', (body) => {
    expect(rejection(body, headersOf(body), SECRET)).toBe('PAYLOAD_INVALID');
  });

  test('an already parsed body, and an invalid secret', () => {
    expect(rejection(EVENT as unknown as string, headersOf(BODY), SECRET)).toBe('BODY_NOT_RAW');
    expect(rejection(BODY, SERVICE_ONLY, '')).toBe('SECRET_INVALID');
    expect(rejection(BODY, standardOnly(headersOf(BODY)), 'my password')).toBe('SECRET_INVALID');
  });
});
