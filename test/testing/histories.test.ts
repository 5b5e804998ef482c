import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { beforeAll, describe, expect, test } from 'vitest';
import { PAYMENT_EVENTS, type PaymentEvent, TRANSACTION_STATUSES } from '../../machines/index.ts';
import { verifyWebhook } from '../../src/client/index.ts';
import { describeApi } from '../../src/http/api/index.ts';
import {
  deliveriesOf,
  expectedOutcome,
  paymentHistories,
  signDelivery,
  TEST_WEBHOOK_SECRET,
} from '../../src/testing/index.ts';
import { webhookHeaders } from '../../src/webhooks/sign.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

const runs = { numRuns: level.runs(100) };

const ENDED: readonly PaymentEvent[] = ['payment.completed', 'payment.expired', 'payment.failed'];

describe('a history', () => {
  let isPayload: (body: unknown) => boolean;
  beforeAll(async () => {
    const { components } = (await describeApi({ version: '1' })) as { components: object };
    const validator = Compile({ $ref: '#/components/schemas/PaymentWebhook', components });
    isPayload = (body) => validator.Check(body);
  });

  test('starts with the creation, has increasing sequence numbers and times, and payloads that match the schema', () => {
    assertProperty(
      fc.property(paymentHistories(), ({ transactionId, events }) => {
        expect(events[0]).toMatchObject({ event: 'payment.created', status: 'pending' });
        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
        expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => a - b));
        for (const { id, event, sequence, status, body } of events) {
          const payload = JSON.parse(body);
          expect(payload).toMatchObject({ id, event, sequence, status, transaction_id: transactionId });
          expect(isPayload(payload), body).toBe(true);
        }
      }),
      runs,
    );
  });

  test('completes at most once, and ends in the status it declares', () => {
    assertProperty(
      fc.property(paymentHistories(), ({ events, final }) => {
        const sent = events.map(({ event }) => event);
        expect(sent.filter((event) => event === 'payment.completed').length).toBeLessThanOrEqual(1);
        if (sent.includes('payment.completed')) expect(final.status).toBe('completed');
        if (final.status === 'completed') expect(sent).toContain('payment.completed');
        if (final.status === 'failed' || final.status === 'expired') {
          expect(sent.some((event) => ENDED.includes(event))).toBe(true);
        }
      }),
      runs,
    );
  });

  test('covers every event, every status and both exceptions', () => {
    const sample = fc.sample(paymentHistories(), { numRuns: level.pick({ quick: 200, full: 1_500 }), seed: 7 });
    expect(new Set(sample.flatMap(({ events }) => events.map(({ event }) => event)))).toEqual(new Set(PAYMENT_EVENTS));
    expect(new Set(sample.map(({ final }) => final.status))).toEqual(new Set(TRANSACTION_STATUSES));
    expect(new Set(sample.map(({ final }) => final.exception))).toEqual(new Set([null, 'paid_late', 'needs_review']));
  });

  test('is the same for the same seed', () => {
    const [one, other] = [0, 1].map(() => fc.sample(paymentHistories(), { numRuns: 50, seed: 3 }));
    expect(one).toEqual(other);
  });
});

describe('deliveries', () => {
  const withHistory = paymentHistories().chain((history) =>
    deliveriesOf(history, { secret: TEST_WEBHOOK_SECRET }).map((deliveries) => ({ history, deliveries })),
  );

  test('contain every subscribed event, each attempt after the previous one, and none before the event occurred', () => {
    assertProperty(
      fc.property(withHistory, ({ history, deliveries }) => {
        const expected = history.events.filter(({ event }) => event !== 'payment.created').map(({ id }) => id);
        expect(new Set(deliveries.map(({ event }) => event.id))).toEqual(new Set(expected));
        for (const id of expected) {
          const attempts = deliveries.filter(({ event }) => event.id === id).map(({ attempt }) => attempt);
          expect(attempts[0]).toBe(1);
          expect(attempts.every((attempt, index) => attempt - (attempts[index - 1] ?? attempt) <= 1)).toBe(true);
          expect(attempts).toEqual(attempts.toSorted((a, b) => a - b));
        }
        for (const { event, sentAt } of deliveries) expect(sentAt).toBeGreaterThanOrEqual(event.at);
      }),
      runs,
    );
  });

  test('carry the exact headers and bytes that the service sends', () => {
    assertProperty(
      fc.property(withHistory, ({ deliveries }) => {
        for (const { event, attempt, sentAt, headers, rawBody } of deliveries) {
          const { id: webhookEventId, body } = event;
          const endpointId = headers['x-webhook-id'] ?? '';
          const secret = TEST_WEBHOOK_SECRET;
          expect(headers).toEqual(
            webhookHeaders({
              webhookEventId,
              event: event.event,
              mode: event.mode,
              body,
              endpointId,
              attempt,
              at: sentAt,
              secret,
            }),
          );
          expect(rawBody.toString()).toBe(body);
          expect(verifyWebhook(rawBody, headers, secret, { mode: 'live', now: () => sentAt })).toMatchObject({
            id: event.id,
          });
        }
      }),
      runs,
    );
  });

  test('arrive out of order, repeatedly, and twice under one attempt', () => {
    const sample = fc.sample(withHistory, { numRuns: 300, seed: 5 });
    const rows = sample.map(({ deliveries }) => deliveries.map(({ event, attempt }) => ({ ...event, attempt })));
    expect(rows.some((row) => row.some(({ attempt }) => attempt > 1))).toBe(true);
    expect(rows.some((row) => row.some((one, index) => one.sequence < (row[index - 1]?.sequence ?? 0)))).toBe(true);
    const twice = rows.some((row) => new Set(row.map(({ id, attempt }) => `${id} ${attempt}`)).size < row.length);
    expect(twice).toBe(true);
  });

  test('follow the subscription', () => {
    const [history] = fc.sample(paymentHistories(), { numRuns: 1, seed: 1 });
    if (history === undefined) throw new Error('no sample');
    const events = ['payment.created'] as const;
    const [row] = fc.sample(deliveriesOf(history, { secret: TEST_WEBHOOK_SECRET, events }), 1);
    expect(new Set(row?.map(({ event }) => event.event))).toEqual(new Set(events));
  });
});

test('the expected final state does not depend on the order or number of deliveries', () => {
  const several = paymentHistories().chain((history) => {
    const arrivals = deliveriesOf(history, { secret: TEST_WEBHOOK_SECRET });
    return fc.tuple(fc.constant(history), arrivals, arrivals);
  });
  assertProperty(
    fc.property(several, ([{ transactionId, events }, one, other]) => {
      expect(expectedOutcome(transactionId, one)).toEqual(expectedOutcome(transactionId, other));
      const last = events.filter(({ event }) => event !== 'payment.created').at(-1);
      const expected = expectedOutcome(transactionId, one);
      expect(expected?.status).toBe(last?.status);
      if (last !== undefined) expect(expected?.exception).toBe(last.exception);
    }),
    runs,
  );
});

test('a delivery can be signed for any time', () => {
  const [history] = fc.sample(paymentHistories(), { numRuns: 1, seed: 1 });
  const [event] = history?.events ?? [];
  if (event === undefined) throw new Error('no event');
  const at = Date.UTC(2030, 1, 1);
  const { headers, rawBody } = signDelivery({ event, attempt: 2 }, TEST_WEBHOOK_SECRET, at);
  expect(verifyWebhook(rawBody, headers, TEST_WEBHOOK_SECRET, { mode: 'live', now: () => at })).toMatchObject({
    id: event.id,
  });
});
