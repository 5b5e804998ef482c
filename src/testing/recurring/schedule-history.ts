import fc from 'fast-check';
import {
  DAY_MS,
  formatCoins,
  INTERVALS,
  type ScheduleNotification,
  type ScheduleStatus,
  type ScheduleTerms,
} from '../../../machines/index.ts';
import { derivedId } from '../../platform/ids.ts';
import { recurringEventBody } from '../../recurring/index.ts';
import { webhookEventId } from '../../webhooks/index.ts';
import type { RecordedEvent, RecordedHistory } from '../event.ts';
import { type HistoryEvent, startRecordedPayment } from '../history.ts';
import { agreeOn, CREATED_AT, PRICED_CRYPTOS, type PricedCrypto } from '../terms.ts';
import { startScheduleActor } from './schedule-actor.ts';
import { createScheduleSimulation, type ScheduleStep } from './schedule-simulation.ts';

/** One event of a recurring payment request. */
export interface ScheduleHistoryEvent extends RecordedEvent {
  readonly event: ScheduleNotification['event'];
  readonly status: ScheduleStatus;
}

/** The history of one recurring payment request, from its creation. */
export interface ScheduleHistory extends RecordedHistory {
  readonly scheduleId: string;
  /**
   * Its own events and those of its payments, in order of time. Each payment has its own
   * `sequence`.
   */
  readonly events: readonly (ScheduleHistoryEvent | HistoryEvent)[];
  /**
   * The final state according to the API. Pausing, cancelling and skipped periods raise no event.
   */
  readonly final: {
    readonly status: ScheduleStatus;
    /** The paid periods, with the payment that settled each. */
    readonly paid: Readonly<Record<number, string>>;
  };
  /** The steps that were applied. */
  readonly steps: readonly ScheduleStep[];
}

const MAX_STEPS = 12;

/**
 * Generates histories that can really happen: random customers, merchants, delays and outages act
 * on the same charts as the service. Shrinks to short ones.
 */
export function scheduleHistories(): fc.Arbitrary<ScheduleHistory> {
  const steps = fc
    .tuple(firstStep, fc.array(scheduleStep, { maxLength: MAX_STEPS, size: 'max' }))
    .map(([first, others]) => [first, ...others]);
  return fc.tuple(scheduleOrders, steps).map(walk);
}

/** A recurring payment request and how the customer pays it. */
interface ScheduleOrder {
  readonly terms: ScheduleTerms;
  readonly details: Parameters<typeof recurringEventBody>[0]['schedule'];
  readonly crypto: PricedCrypto;
  /** US cents per period. */
  readonly cents: bigint;
}

// Helpers

const DAYS = [1, 4, 8, 40, 100];

const scheduleStep: fc.Arbitrary<ScheduleStep> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ act: 'wait_for_next' }) },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('pay'),
      period: fc.constantFrom('awaited', 'given_up'),
      isTwice: fc.nat({ max: 3 }).map((number) => number === 3),
      meanwhile: fc.constantFrom('nothing', 'nothing', 'nothing', 'pause', 'stop', 'cancel'),
    }),
  },
  { weight: 4, arbitrary: fc.constantFrom(...DAYS).map((days) => ({ act: 'wait', days })) },
  { weight: 1, arbitrary: fc.constantFrom(...DAYS).map((days) => ({ act: 'outage', days })) },
  { weight: 2, arbitrary: fc.constantFrom({ act: 'let_expire' }, { act: 'pause' }, { act: 'resume' }) },
  { weight: 1, arbitrary: fc.constantFrom({ act: 'confirm' }, { act: 'stop' }, { act: 'bounce' }, { act: 'cancel' }) },
) as fc.Arbitrary<ScheduleStep>;

/** Mostly `confirm`: little happens to an unconfirmed request. */
const firstStep: fc.Arbitrary<ScheduleStep> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<ScheduleStep>({ act: 'confirm' }) },
  { weight: 1, arbitrary: scheduleStep },
);

function walk([order, steps]: [ScheduleOrder, ScheduleStep[]]): ScheduleHistory {
  const { terms, details } = order;
  const { scheduleId } = terms;
  const [ofPayments, ofSchedule]: [HistoryEvent[], ScheduleHistoryEvent[]] = [[], []];
  const paid: Record<number, string> = {};
  const actor = startScheduleActor(terms, (notification, status, at) => {
    const { event, sequence } = notification;
    const id = webhookEventId(scheduleId, notification);
    const body = recurringEventBody({ id, at, scheduleId, schedule: details, status, notification });
    ofSchedule.push({ id, event, mode: details.mode, sequence, at, status, body });
    if (notification.event === 'recurring.payment.completed') paid[notification.periodNo] = notification.transactionId;
  });
  let payments = 0;
  const simulation = createScheduleSimulation(actor, (periodNo, createdAt) => {
    payments += 1;
    const transactionId = derivedId('txn', 'history', scheduleId, payments);
    const depositAddress = `address-${transactionId}`;
    const { crypto, cents } = order;
    const metadata = { schedule_id: scheduleId, period_no: periodNo };
    return startRecordedPayment(
      agreeOn({ crypto, cents, transactionId, depositAddress, createdAt }),
      metadata,
      ofPayments,
    );
  });
  for (const step of steps) simulation.take(step);
  // The sort is stable: a payment completes before its request is notified.
  const events = [...ofPayments, ...ofSchedule].sort((a, b) => a.at - b.at);
  return { scheduleId, events, final: { status: actor.status, paid }, steps };
}

const MAX_PERIODS = 6;

/** Requests of 1 to 500 USD, with and without a start date, a last period and a reference. */
const scheduleOrders: fc.Arbitrary<ScheduleOrder> = fc
  .record({
    number: fc.nat({ max: 2 ** 31 - 1 }),
    interval: fc.constantFrom(...INTERVALS),
    startInDays: fc.option(fc.integer({ min: 0, max: 60 })),
    maxPeriods: fc.option(fc.integer({ min: 1, max: MAX_PERIODS })),
    hasReference: fc.boolean(),
    crypto: fc.constantFrom(...PRICED_CRYPTOS),
    cents: fc.bigInt({ min: 100n, max: 50_000n }),
  })
  .map(({ number, interval, startInDays, maxPeriods, hasReference, crypto, cents }) => ({
    terms: {
      scheduleId: uuidOf(number),
      interval,
      startAt: startInDays === null ? null : CREATED_AT + startInDays * DAY_MS,
      maxPeriods,
      createdAt: CREATED_AT,
    },
    details: {
      mode: 'live' as const,
      reference: hasReference ? `customer-${number}` : null,
      customerEmail: 'customer@example.com',
      description: 'A box of tea',
      amountFiat: formatCoins(cents, 2),
      currencyFiat: 'USD',
      interval,
    },
    crypto,
    cents,
  }));

/** A UUID in version 4 format (RFC 9562), always the same for a number. */
function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}
