import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { beforeAll, describe, expect, test } from 'vitest';
import { SCHEDULE_STATUSES, type ScheduleStatus } from '../../machines/index.ts';
import { describeApi } from '../../src/http/api/index.ts';
import {
  deliveriesOf,
  expectedScheduleOutcome,
  type ScheduleHistory,
  scheduleHistories,
  TEST_WEBHOOK_SECRET,
} from '../../src/testing/index.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

const runs = { numRuns: level.runs(100) };

interface Body {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly schedule_id: string;
  readonly status: ScheduleStatus;
  readonly period_no?: number;
  readonly transaction_id?: string;
  readonly reason?: string;
  readonly metadata?: { readonly schedule_id: string; readonly period_no: number };
}

const RECURRING = [
  'recurring.confirmed',
  'recurring.payment.completed',
  'recurring.payment.unpaid',
  'recurring.stopped',
];

describe('a history of a recurring payment request', () => {
  let isPayload: (kind: 'PaymentWebhook' | 'RecurringWebhook', body: unknown) => boolean;
  beforeAll(async () => {
    const { components } = (await describeApi({ version: '1' })) as { components: object };
    const validators = {
      PaymentWebhook: Compile({ $ref: '#/components/schemas/PaymentWebhook', components }),
      RecurringWebhook: Compile({ $ref: '#/components/schemas/RecurringWebhook', components }),
    };
    isPayload = (kind, body) => validators[kind].Check(body);
  });

  test('has increasing sequence numbers and times, and payloads that match the schema', () => {
    assertProperty(
      fc.property(scheduleHistories(), (history) => {
        const sent = recurringBodies(history);
        expect(sent.map(({ sequence }) => sequence)).toEqual(sent.map((_, index) => index + 1));
        expect(history.events.map(({ at }) => at)).toEqual(history.events.map(({ at }) => at).sort((a, b) => a - b));
        expect(isPayload('RecurringWebhook', { ...sent[0], status: 'unknown' })).toBe(false);
        for (const { event, body } of history.events) {
          const kind = event.startsWith('payment.') ? 'PaymentWebhook' : 'RecurringWebhook';
          expect(isPayload(kind, JSON.parse(body)), body).toBe(true);
        }
      }),
      runs,
    );
  });

  test('starts with the confirmation, unless it ends without one', () => {
    assertProperty(
      fc.property(scheduleHistories(), (history) => {
        const [first, ...others] = recurringBodies(history);
        if (first === undefined) return;
        if (first.event === 'recurring.stopped') expect(others).toEqual([]);
        else expect(first).toMatchObject({ event: 'recurring.confirmed', sequence: 1 });
        expect(others.map(({ event }) => event)).not.toContain('recurring.confirmed');
      }),
      runs,
    );
  });

  test('has each period paid at most once and given up at most once, never after it was paid', () => {
    assertProperty(
      fc.property(scheduleHistories(), (history) => {
        const sent = recurringBodies(history);
        const [paid, unpaid] = ['completed', 'unpaid'].map((what) => {
          return sent.filter(({ event }) => event === `recurring.payment.${what}`).map(({ period_no }) => period_no);
        });
        expect(new Set(paid).size).toBe(paid?.length);
        expect(new Set(unpaid).size).toBe(unpaid?.length);
        const isPaid = new Set<number | undefined>();
        for (const { event, period_no } of sent) {
          if (event === 'recurring.payment.unpaid') expect(isPaid.has(period_no)).toBe(false);
          if (event === 'recurring.payment.completed') isPaid.add(period_no);
        }
      }),
      runs,
    );
  });

  test('has a completed payment for each period reported as paid, and lists them at the end', () => {
    assertProperty(
      fc.property(scheduleHistories(), (history) => {
        const bodies = bodiesOf(history);
        const paid = bodies.filter(({ event }) => event === 'recurring.payment.completed');
        for (const [index, { event, period_no: period, transaction_id: transactionId }] of bodies.entries()) {
          if (event !== 'recurring.payment.completed') continue;
          const before = bodies.slice(0, index);
          expect(
            before.find((body) => body.event === 'payment.completed' && body.transaction_id === transactionId),
          ).toMatchObject({ metadata: { schedule_id: history.scheduleId, period_no: period } });
        }
        expect(history.final.paid).toEqual(
          Object.fromEntries(paid.map((body) => [body.period_no, body.transaction_id])),
        );
      }),
      runs,
    );
  });

  test('covers every event, every status, every reason, and late and double payments', () => {
    const sample = fc.sample(scheduleHistories(), { numRuns: level.pick({ quick: 500, full: 1_500 }), seed: 7 });
    const sent = sample.map(recurringBodies);
    expect(new Set(sent.flat().map(({ event }) => event))).toEqual(new Set(RECURRING));
    expect(new Set(sample.map(({ final }) => final.status))).toEqual(new Set(SCHEDULE_STATUSES));
    expect(new Set(sent.flat().flatMap(({ reason }) => reason ?? []))).toEqual(
      new Set(['stopped_by_customer', 'bounced', 'unconfirmed']),
    );
    const completedIn = (expected: ScheduleStatus) =>
      sent.flat().some(({ event, status }) => event === 'recurring.payment.completed' && status === expected);
    for (const status of ['active', 'paused', 'cancelled', 'stopped_by_customer'] as const) {
      expect(completedIn(status), status).toBe(true);
    }
    expect(sent.some(isPaidLate)).toBe(true);
    expect(sample.some(hasSkipped)).toBe(true);
    expect(sample.some(isPaidTwice)).toBe(true);
    expect(sample.some(({ events }) => events.some(({ event }) => event === 'payment.expired'))).toBe(true);
  });

  test('is the same for the same seed', () => {
    const [one, other] = [0, 1].map(() => fc.sample(scheduleHistories(), { numRuns: 50, seed: 3 }));
    expect(one).toEqual(other);
  });

  test('shrinks to a minimal case: a late period takes four steps at most', () => {
    const isNeverPaidLate = fc.property(scheduleHistories(), (history) => !isPaidLate(recurringBodies(history)));
    const { failed, counterexample } = fc.check(isNeverPaidLate, { seed: 7, numRuns: 1_000 });
    expect(failed).toBe(true);
    const [history] = counterexample ?? [];
    expect(history?.steps[0]).toEqual({ act: 'confirm' });
    expect(history?.steps.at(-1)).toMatchObject({ act: 'pay', period: 'given_up' });
    expect(history?.steps.length).toBeLessThanOrEqual(4);
  });
});

test('the expected final state does not depend on the order or number of deliveries', () => {
  const several = scheduleHistories().chain((history) => {
    const arrivals = deliveriesOf(history, { secret: TEST_WEBHOOK_SECRET });
    return fc.tuple(fc.constant(history), arrivals, arrivals);
  });
  assertProperty(
    fc.property(several, ([history, one, other]) => {
      const { scheduleId, final } = history;
      const expected = expectedScheduleOutcome(scheduleId, one);
      expect(expected).toEqual(expectedScheduleOutcome(scheduleId, other));
      const last = recurringBodies(history).at(-1);
      expect(expected?.status).toBe(last?.status);
      const credited = Object.fromEntries(Object.keys(final.paid).map((period) => [period, 1]));
      expect(expected?.credited ?? {}).toEqual(credited);
      for (const period of expected?.unpaid ?? []) expect(final.paid).not.toHaveProperty(String(period));
    }),
    runs,
  );
});

// Helpers

function bodiesOf({ events }: ScheduleHistory): Body[] {
  return events.map(({ body }) => JSON.parse(body) as Body);
}

function recurringBodies(history: ScheduleHistory): Body[] {
  return bodiesOf(history).filter(({ event }) => event.startsWith('recurring.'));
}

function isPaidLate(sent: readonly Body[]): boolean {
  const periods = (type: string) => sent.filter(({ event }) => event === type).map(({ period_no }) => period_no);
  const unpaid = periods('recurring.payment.unpaid');
  return periods('recurring.payment.completed').some((period) => unpaid.includes(period));
}

/** A period has events, and an earlier one has none. */
function hasSkipped(history: ScheduleHistory): boolean {
  const periods = new Set(recurringBodies(history).flatMap(({ period_no }) => period_no ?? []));
  return periods.size > 0 && Math.max(...periods) > periods.size;
}

function isPaidTwice(history: ScheduleHistory): boolean {
  const paid = bodiesOf(history).filter(({ event }) => event === 'payment.completed');
  return new Set(paid.map(({ metadata }) => metadata?.period_no)).size < paid.length;
}
