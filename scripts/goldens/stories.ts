import type { DeliveryEvent, DeliveryTerms, ScheduleEvent, ScheduleTerms } from '../../machines/index.ts';

/**
 * One step of a story: an event some time after the last step, or the next due timer at its time.
 */
export type Happening = { readonly afterMs: number; readonly event: { readonly type: string } } | 'timer';

export interface Plot {
  readonly what: string;
  readonly input: unknown;
  readonly happenings: readonly Happening[];
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const CREATED_AT = Date.UTC(2027, 0, 31, 9, 30);

const DELIVERY: DeliveryTerms = {
  deliveryId: 'dlv_golden',
  endpointId: 'whk_golden',
  webhookEventId: 'evt_golden',
  createdAt: CREATED_AT,
  earlierAttempts: 0,
};
const REJECTED = { kind: 'status', status: 503, detail: 'answered 503' } as const;
const HELD_BACK = { kind: 'held_back', status: null, detail: 'the endpoint keeps failing' } as const;

const SCHEDULE: ScheduleTerms = {
  scheduleId: 'sch_golden',
  interval: 'monthly',
  startAt: null,
  maxPeriods: 3,
  createdAt: CREATED_AT,
};

/** Stories to record for charts that have no journals yet, by chart and file. */
export const PLOTS: Readonly<Record<string, Readonly<Record<string, Plot>>>> = {
  delivery: {
    'taken-at-once': {
      what: 'The endpoint takes it at the first attempt.',
      input: DELIVERY,
      happenings: [deliveryEvent(SECOND_MS, { type: 'sender.attempt_succeeded', attempt: 1, status: 204 })],
    },
    'refused-twice-then-taken': {
      what: 'Two attempts fail, one with a wish for when to come again; the third is taken.',
      input: DELIVERY,
      happenings: [
        deliveryEvent(SECOND_MS, { type: 'sender.attempt_failed', attempt: 1, failure: REJECTED, jitter: 0.25 }),
        'timer',
        deliveryEvent(SECOND_MS, {
          type: 'sender.attempt_failed',
          attempt: 2,
          failure: REJECTED,
          jitter: -1,
          retryAfterMs: 600_000,
        }),
        'timer',
        deliveryEvent(SECOND_MS, { type: 'sender.attempt_succeeded', attempt: 3, status: 200 }),
      ],
    },
    'held-back-probed-lost-then-asked-for': {
      what: 'The endpoint is held back, a probe fails, a response is lost, and the merchant asks for it again.',
      input: { ...DELIVERY, earlierAttempts: 2 },
      happenings: [
        deliveryEvent(SECOND_MS, {
          type: 'sender.attempt_deferred',
          attempt: 3,
          failure: HELD_BACK,
          until: CREATED_AT + 3_600_000,
        }),
        'timer',
        deliveryEvent(SECOND_MS, {
          type: 'sender.probe_failed',
          attempt: 3,
          failure: REJECTED,
          until: CREATED_AT + 7_200_000,
        }),
        'timer',
        'timer',
        deliveryEvent(SECOND_MS, { type: 'merchant.redelivery_requested' }),
        deliveryEvent(SECOND_MS, { type: 'sender.attempt_succeeded', attempt: 4, status: 200 }),
      ],
    },
    'never-taken': {
      what: 'Every attempt fails until the schedule ends.',
      input: DELIVERY,
      happenings: Array.from({ length: 30 }, (_, index): Happening[] => [
        deliveryEvent(SECOND_MS, { type: 'sender.attempt_failed', attempt: index + 1, failure: REJECTED, jitter: 1 }),
        'timer',
      ]).flat(),
    },
  },
  schedule: {
    'paid-each-time-until-finished': {
      what: 'Three periods, each paid a day after it was asked for; one is paid twice.',
      input: SCHEDULE,
      happenings: [
        scheduleEvent(DAY_MS, { type: 'customer.confirmed' }),
        'timer',
        ...[1, 2, 3].flatMap((periodNo): Happening[] => [
          scheduleEvent(DAY_MS, { type: 'payment.completed', periodNo, transactionId: `txn_golden_${periodNo}` }),
          ...(periodNo === 1
            ? [scheduleEvent(DAY_MS, { type: 'payment.completed', periodNo, transactionId: 'txn_golden_again' })]
            : []),
          'timer',
        ]),
      ],
    },
    'reminded-unpaid-then-stopped-by-the-customer': {
      what: 'The first period is asked for, reminded of twice and never paid; then the customer stops.',
      input: SCHEDULE,
      happenings: [
        scheduleEvent(DAY_MS, { type: 'customer.confirmed' }),
        'timer',
        'timer',
        'timer',
        'timer',
        scheduleEvent(DAY_MS, { type: 'customer.stopped' }),
        scheduleEvent(DAY_MS, { type: 'payment.completed', periodNo: 1, transactionId: 'txn_golden_late' }),
      ],
    },
    'paused-over-a-period-then-cancelled': {
      what: 'Paused over two due dates, resumed, then cancelled by the merchant.',
      input: { ...SCHEDULE, maxPeriods: null, startAt: CREATED_AT + 10 * DAY_MS },
      happenings: [
        scheduleEvent(DAY_MS, { type: 'customer.confirmed' }),
        scheduleEvent(DAY_MS, { type: 'merchant.paused' }),
        scheduleEvent(70 * DAY_MS, { type: 'merchant.resumed' }),
        'timer',
        scheduleEvent(DAY_MS, { type: 'merchant.cancelled' }),
      ],
    },
    'paused-before-the-last-period': {
      what: 'Paused while the last period is awaited, which is not paid in its time.',
      input: { ...SCHEDULE, maxPeriods: 1 },
      happenings: [
        scheduleEvent(DAY_MS, { type: 'customer.confirmed' }),
        scheduleEvent(DAY_MS, { type: 'merchant.paused' }),
        'timer',
        scheduleEvent(DAY_MS, { type: 'payment.completed', periodNo: 1, transactionId: 'txn_golden_late' }),
      ],
    },
    'never-confirmed': {
      what: 'The mail of confirmation is sent again, and nobody answers it.',
      input: SCHEDULE,
      happenings: [scheduleEvent(DAY_MS, { type: 'merchant.confirmation_resent' }), 'timer', 'timer'],
    },
    'bounced-while-awaited': {
      what: 'The mailbox turns out not to exist while the first period is awaited.',
      input: { ...SCHEDULE, interval: 'weekly' },
      happenings: [
        scheduleEvent(DAY_MS, { type: 'customer.confirmed' }),
        'timer',
        scheduleEvent(60 * SECOND_MS, { type: 'mail.bounced' }),
      ],
    },
  },
};

// Helpers

type Untimed<E> = E extends unknown ? Omit<E, 'at'> : never;

function deliveryEvent(afterMs: number, event: Untimed<DeliveryEvent>): Happening {
  return { afterMs, event };
}

function scheduleEvent(afterMs: number, event: Untimed<ScheduleEvent>): Happening {
  return { afterMs, event };
}
