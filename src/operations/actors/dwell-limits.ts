import {
  CONFIRMATION_WINDOW_MS,
  DAY_MS,
  DELIVERY_HORIZON_MS,
  FORGET_AFTER_MS,
  HOUR_MS,
  MINUTE_MS,
  MONITORING_MS,
  RESPONSE_OVERDUE_MS,
  UNPAID_AFTER_MS,
} from '../../../machines/index.ts';

/** Timers wait for the next poll of a chain watcher, and services restart. */
const SLACK_MS = HOUR_MS;
/** The longest payment window and the longest confirmation deadline are one day each. */
const MAX_WINDOW_MS = DAY_MS;
const MAX_CONFIRMING_MS = DAY_MS;
/** Time in which a person should have decided. */
const MAX_DECISION_MS = 2 * DAY_MS;
/** A clock stopped by a review gives the lost time back once. */
const MAX_REVIEW_MS = MAX_DECISION_MS;

/**
 * Longest time that actors normally stay in a state, in ms, by kind and leaf; beyond it an operator
 * should check. States without an entry have no limit: final ones, and those that wait for the
 * merchant indefinitely.
 */
const DWELL_LIMITS_MS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  transaction: {
    // The window's timer ends both.
    'open.awaitingPayment': MAX_WINDOW_MS + MAX_REVIEW_MS + SLACK_MS,
    'open.partiallyPaid': MAX_WINDOW_MS + MAX_REVIEW_MS + SLACK_MS,
    'open.inReview': MAX_DECISION_MS,
    // Every newer sighting moves the deadline; a payment held here by sightings should be checked.
    confirming: MAX_CONFIRMING_MS + SLACK_MS,
    'expired.paidLate': MAX_DECISION_MS,
    // Monitored until a deadline that is counted from the end of the window.
    completed: MONITORING_MS + MAX_WINDOW_MS + SLACK_MS,
    'expired.watching': MONITORING_MS + SLACK_MS,
    failed: MONITORING_MS + SLACK_MS,
  },
  delivery: {
    // A sender that does not respond gets the request again after this time; three times means that
    // it is broken.
    sending: 3 * RESPONSE_OVERDUE_MS,
    // No retry delay is longer than the whole delivery may take.
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

/** Longest time that an actor normally stays in this leaf, in ms; null without a limit. */
export function dwellLimitMs(kind: string, state: string): number | null {
  return limitedStatesOf(kind).find((each) => each.state === state)?.limitMs ?? null;
}

/** Every leaf of a kind that has a limit, in ms. */
export function limitedStatesOf(kind: string): { state: string; limitMs: number }[] {
  const limits = Object.hasOwn(DWELL_LIMITS_MS, kind) ? DWELL_LIMITS_MS[kind] : undefined;
  return Object.entries(limits ?? {}).map(([state, limitMs]) => ({ state, limitMs }));
}
