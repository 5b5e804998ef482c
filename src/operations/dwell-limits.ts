import {
  ANSWER_OVERDUE_MS,
  CONFIRMATION_WINDOW_MS,
  DAY_MS,
  DELIVERY_HORIZON_MS,
  FORGET_AFTER_MS,
  HOUR_MS,
  MINUTE_MS,
  MONITORING_MS,
  UNPAID_AFTER_MS,
} from '../../machines/index.ts';

/** Timers wait for the next look of a watcher, and services are restarted. */
const SLACK_MS = HOUR_MS;
/** The longest window a payment may have, and the longest deadline for confirmations, are a day each. */
const LONGEST_WINDOW_MS = DAY_MS;
const LONGEST_CONFIRMING_MS = DAY_MS;
/** A person should have decided by then. */
const PATIENCE_MS = 2 * DAY_MS;
/** A clock that stood still in a review gives its time back once. */
const LONGEST_REVIEW_MS = PATIENCE_MS;

/**
 * How long actors usually rest in a state at most, in ms; beyond it somebody should look. By kind and leaf. A state that is
 * not listed has no limit: final ones, and those that wait for as long as a merchant likes.
 */
const DWELL_LIMITS_MS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  transaction: {
    // The window's timer ends both.
    'open.awaitingPayment': LONGEST_WINDOW_MS + LONGEST_REVIEW_MS + SLACK_MS,
    'open.partiallyPaid': LONGEST_WINDOW_MS + LONGEST_REVIEW_MS + SLACK_MS,
    'open.inReview': PATIENCE_MS,
    // Every newer sighting moves the deadline; a payment that is kept here by them is worth a look.
    confirming: LONGEST_CONFIRMING_MS + SLACK_MS,
    'expired.paidLate': PATIENCE_MS,
    // Watched until monitoring ends, which is counted from the close of the window.
    completed: MONITORING_MS + LONGEST_WINDOW_MS + SLACK_MS,
    'expired.watching': MONITORING_MS + SLACK_MS,
    failed: MONITORING_MS + SLACK_MS,
  },
  delivery: {
    // A silent sender is asked again after its time; three times that is a sender that does not work.
    sending: 3 * ANSWER_OVERDUE_MS,
    // No pause reaches beyond the horizon of the whole delivery.
    waiting: DELIVERY_HORIZON_MS + 5 * MINUTE_MS,
  },
  schedule: {
    unconfirmed: CONFIRMATION_WINDOW_MS + SLACK_MS,
    'active.awaiting': UNPAID_AFTER_MS + SLACK_MS,
    // The longest interval is a year, leap years included.
    'active.waiting': 366 * DAY_MS + SLACK_MS,
    'ended.cancelled': FORGET_AFTER_MS + SLACK_MS,
    'ended.stoppedByCustomer': FORGET_AFTER_MS + SLACK_MS,
    'ended.bounced': FORGET_AFTER_MS + SLACK_MS,
    'ended.expiredUnconfirmed': FORGET_AFTER_MS + SLACK_MS,
    'ended.finished': FORGET_AFTER_MS + SLACK_MS,
  },
};

/** How long an actor usually rests in this leaf at most, in ms; null when there is no such time. */
export function dwellLimitMs(kind: string, state: string): number | null {
  const limits = Object.hasOwn(DWELL_LIMITS_MS, kind) ? DWELL_LIMITS_MS[kind] : undefined;
  return limits !== undefined && Object.hasOwn(limits, state) ? (limits[state] ?? null) : null;
}

/** Every kind and leaf that has a limit. */
export function limitedStates(): { kind: string; state: string }[] {
  return Object.entries(DWELL_LIMITS_MS).flatMap(([kind, limits]) =>
    Object.keys(limits).map((state) => ({ kind, state })),
  );
}
