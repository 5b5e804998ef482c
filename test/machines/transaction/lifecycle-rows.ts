import { DAY_MS, type PaymentEvent, type PublicState, type TransactionEvent } from '../../../machines/index.ts';
import { balanceDropped, deadlinePassed, lossSettled, WINDOW_CLOSED } from './chart-events.ts';
import { confirmed, dropped, IN_TIME, LATE, mined, seen } from './observations.ts';
import { DEADLINE_MS, DUE, SETTLES_MS, TOLERANCE } from './terms.ts';

/**
 * The agreed lifecycle, one row each: the state before, the event, and the resulting public state
 * with exactly the webhooks sent.
 */
export interface LifecycleRow {
  readonly name: string;
  /** The events that led to `from`. */
  readonly given: readonly TransactionEvent[];
  readonly from: PublicState;
  readonly when: readonly TransactionEvent[];
  readonly to: PublicState;
  readonly webhooks: readonly PaymentEvent[];
  readonly alerts?: number;
}

const HALF = DUE / 2n;
const PENDING = { status: 'pending', exception: null } as const;
const PARTIAL = { status: 'partial', exception: null } as const;
const AWAITING = { status: 'awaiting_confirmation', exception: null } as const;
const COMPLETED = { status: 'completed', exception: null } as const;
const EXPIRED = { status: 'expired', exception: null } as const;
const FAILED = { status: 'failed', exception: null } as const;
const PAID_LATE = { status: 'expired', exception: 'paid_late' } as const;
const NEEDS_REVIEW = { status: 'pending', exception: 'needs_review' } as const;

const atDeadline = deadlinePassed(IN_TIME + DEADLINE_MS);
const halfIsMissing = balanceDropped(IN_TIME, HALF);
const decides = (type: 'marked_paid' | 'dismissed' | 'confirmed' | 'rejected'): TransactionEvent => ({
  type: `merchant.${type}`,
  at: LATE + 1,
  by: 'usr_example',
});

/** The missing coins have been gone since `IN_TIME`, when these tests report their loss. */
const settled = lossSettled(IN_TIME + SETTLES_MS);
const half = seen({ id: 'half', amount: HALF, order: 1 });
const whole = seen({ id: 'whole', order: 1 });
const wholeIsDeep = confirmed({ id: 'whole', order: 5 });
const wholeIsGone = dropped({ id: 'whole', order: 6 });
const halfIsGone = dropped({ id: 'half', amount: HALF, order: 6 });
const restIsGone = dropped({ id: 'rest', amount: HALF, order: 6 });
const lateCoins = seen({ id: 'late', order: 1, firstSeenAt: LATE });
const lateCoinsAreGone = dropped({ id: 'late', order: 2, firstSeenAt: LATE });

export const LIFECYCLE: readonly LifecycleRow[] = [
  {
    name: 'L2: pending, something but too little is seen: partial',
    given: [],
    from: PENDING,
    when: [half],
    to: PARTIAL,
    webhooks: ['payment.partial'],
  },
  {
    name: 'L3, rule 26: partial, the sum changes while short: notified again',
    given: [half],
    from: PARTIAL,
    when: [seen({ id: 'more', amount: 100n, order: 1 }), dropped({ id: 'more', amount: 100n, order: 2 })],
    to: PARTIAL,
    webhooks: ['payment.partial', 'payment.partial'],
  },
  {
    name: 'partial, the same coins are mined and confirmed: not notified again',
    given: [half],
    from: PARTIAL,
    when: [mined({ id: 'half', amount: HALF, order: 2 }), confirmed({ id: 'half', amount: HALF, order: 3 })],
    to: PARTIAL,
    webhooks: [],
  },
  {
    name: 'L4: partial, everything vanishes: pending, without a webhook',
    given: [half],
    from: PARTIAL,
    when: [dropped({ id: 'half', amount: HALF, order: 2 })],
    to: PENDING,
    webhooks: [],
  },
  {
    name: 'L5: pending, what is due less the tolerance is seen: awaiting_confirmation',
    given: [],
    from: PENDING,
    when: [seen({ amount: DUE - TOLERANCE, order: 1 })],
    to: AWAITING,
    webhooks: ['payment.pending'],
  },
  {
    name: 'pending, one unit less than that is seen: only partial',
    given: [],
    from: PENDING,
    when: [seen({ amount: DUE - TOLERANCE - 1n, order: 1 })],
    to: PARTIAL,
    webhooks: ['payment.partial'],
  },
  {
    name: 'L5: partial, the rest is seen: awaiting_confirmation',
    given: [half],
    from: PARTIAL,
    when: [seen({ id: 'rest', amount: HALF, order: 1 })],
    to: AWAITING,
    webhooks: ['payment.pending'],
  },
  {
    name: 'L7: awaiting_confirmation, enough is confirmed: completed',
    given: [whole],
    from: AWAITING,
    when: [wholeIsDeep],
    to: COMPLETED,
    webhooks: ['payment.completed'],
  },
  {
    name: 'awaiting_confirmation, as much too much as the tolerance allows is confirmed: completed, not overpaid',
    given: [seen({ amount: DUE + TOLERANCE, order: 1 })],
    from: AWAITING,
    when: [confirmed({ amount: DUE + TOLERANCE, order: 2 })],
    to: COMPLETED,
    webhooks: ['payment.completed'],
  },
  {
    name: 'L7, rule 26: awaiting_confirmation, more than that is confirmed: completed and overpaid in addition',
    given: [seen({ amount: DUE + TOLERANCE + 1n, order: 1 })],
    from: AWAITING,
    when: [confirmed({ amount: DUE + TOLERANCE + 1n, order: 2 })],
    to: COMPLETED,
    webhooks: ['payment.completed', 'payment.overpaid'],
  },
  {
    name: 'L8: awaiting_confirmation, a part is replaced inside the window: partial',
    given: [half, seen({ id: 'rest', amount: HALF, order: 1 })],
    from: AWAITING,
    when: [dropped({ id: 'rest', amount: HALF, order: 2, reason: 'replaced' })],
    to: PARTIAL,
    webhooks: ['payment.partial'],
  },
  {
    name: 'L8: awaiting_confirmation, everything is evicted inside the window: pending, without a webhook',
    given: [whole],
    from: AWAITING,
    when: [wholeIsGone],
    to: PENDING,
    webhooks: [],
  },
  {
    name: 'rule 8: awaiting_confirmation, coins vanish after the window: nothing yet, they may come back',
    given: [whole, WINDOW_CLOSED],
    from: AWAITING,
    when: [wholeIsGone],
    to: AWAITING,
    webhooks: [],
  },
  {
    name: 'rule 8: awaiting_confirmation, coins vanish after the window and a replacement comes: nothing changes',
    given: [{ ...whole, spends: ['coin:0'] }, WINDOW_CLOSED, wholeIsGone],
    from: AWAITING,
    when: [seen({ id: 'replacement', order: 7, firstSeenAt: LATE, spends: ['coin:0'] }), settled],
    to: AWAITING,
    webhooks: [],
  },
  {
    name: 'rule 8: awaiting_confirmation, coins vanish after the window and other coins come late: paid_late once it has settled',
    given: [whole, WINDOW_CLOSED, wholeIsGone],
    from: AWAITING,
    when: [confirmed({ id: 'other', order: 7, firstSeenAt: LATE }), settled],
    to: PAID_LATE,
    webhooks: ['payment.expired', 'payment.paid_late'],
  },
  {
    name: 'L9, rule 8: awaiting_confirmation, a part is reorganised out after the window and stays away: expired',
    given: [half, mined({ id: 'rest', amount: HALF, order: 1 }), WINDOW_CLOSED],
    from: AWAITING,
    when: [dropped({ id: 'rest', amount: HALF, order: 2, reason: 'reorged' }), settled],
    to: EXPIRED,
    webhooks: ['payment.expired'],
  },
  {
    name: 'L10, rule 8: awaiting_confirmation, everything stays away after the window: failed',
    given: [whole, WINDOW_CLOSED],
    from: AWAITING,
    when: [wholeIsGone, settled],
    to: FAILED,
    webhooks: ['payment.failed'],
  },
  {
    name: 'rule 1: awaiting_confirmation, the window closes: nothing changes, because money is on its way',
    given: [whole],
    from: AWAITING,
    when: [WINDOW_CLOSED],
    to: AWAITING,
    webhooks: [],
  },
  {
    name: 'L11: awaiting_confirmation, the confirmation deadline passes: failed',
    given: [whole, WINDOW_CLOSED],
    from: AWAITING,
    when: [atDeadline],
    to: FAILED,
    webhooks: ['payment.failed'],
  },
  {
    name: 'L6: pending, the window closes: expired',
    given: [],
    from: PENDING,
    when: [WINDOW_CLOSED],
    to: EXPIRED,
    webhooks: ['payment.expired'],
  },
  {
    name: 'L6: partial, the window closes: expired, and what came stays counted',
    given: [half],
    from: PARTIAL,
    when: [WINDOW_CLOSED],
    to: EXPIRED,
    webhooks: ['payment.expired'],
  },
  {
    name: 'L17: expired, coins first seen after the window: paid_late, once until a decision',
    given: [WINDOW_CLOSED],
    from: EXPIRED,
    when: [lateCoins, seen({ id: 'more', order: 1, firstSeenAt: LATE + 1 })],
    to: PAID_LATE,
    webhooks: ['payment.paid_late'],
  },
  {
    name: 'L17: expired, more late coins come after the merchant dismissed the first: paid_late again, once',
    given: [WINDOW_CLOSED, seen({ id: 'dust', amount: 1n, order: 1, firstSeenAt: LATE }), decides('dismissed')],
    from: EXPIRED,
    when: [lateCoins, seen({ id: 'more', order: 1, firstSeenAt: LATE + 1 })],
    to: PAID_LATE,
    webhooks: ['payment.paid_late'],
  },
  {
    name: 'L9, L17: paid_late, coins in time surface and are lost again: paid_late is sent again, after payment.expired',
    given: [WINDOW_CLOSED, lateCoins],
    from: PAID_LATE,
    when: [whole, wholeIsGone, settled],
    to: PAID_LATE,
    webhooks: ['payment.pending', 'payment.expired', 'payment.paid_late'],
  },
  {
    name: 'L17: failed, coins first seen after the window: paid_late',
    given: [whole, WINDOW_CLOSED, wholeIsGone, settled],
    from: FAILED,
    when: [lateCoins],
    to: PAID_LATE,
    webhooks: ['payment.paid_late'],
  },
  {
    name: 'L15: failed by loss, the coins that came in time are found again: awaiting_confirmation, then completed',
    given: [whole, WINDOW_CLOSED, wholeIsGone, settled],
    from: FAILED,
    when: [seen({ id: 'whole', order: 7 }), confirmed({ id: 'whole', order: 8 })],
    to: COMPLETED,
    webhooks: ['payment.pending', 'payment.completed'],
  },
  {
    name: 'L16: failed by loss, a part of the coins is found again: expired',
    given: [half, seen({ id: 'rest', amount: HALF, order: 1 }), WINDOW_CLOSED, halfIsGone, restIsGone, settled],
    from: FAILED,
    when: [seen({ id: 'half', amount: HALF, order: 7 })],
    to: EXPIRED,
    webhooks: ['payment.expired'],
  },
  {
    name: 'L18: failed by its deadline, the coins that were given up confirm after all: paid_late',
    given: [whole, WINDOW_CLOSED, atDeadline],
    from: FAILED,
    when: [wholeIsDeep],
    to: PAID_LATE,
    webhooks: ['payment.paid_late'],
  },
  {
    name: 'rule 12: failed by its deadline, other coins come a week later: recorded, and nothing is raised',
    given: [whole, WINDOW_CLOSED, atDeadline],
    from: FAILED,
    when: [confirmed({ id: 'other', order: 7, firstSeenAt: LATE + 7 * DAY_MS })],
    to: FAILED,
    webhooks: [],
  },
  {
    name: 'L20: paid_late, the merchant marks it as paid: completed',
    given: [WINDOW_CLOSED, lateCoins],
    from: PAID_LATE,
    when: [decides('marked_paid')],
    to: COMPLETED,
    webhooks: ['payment.completed'],
  },
  {
    name: 'L21: paid_late, the merchant dismisses it: expired, without a webhook',
    given: [WINDOW_CLOSED, lateCoins],
    from: PAID_LATE,
    when: [decides('dismissed')],
    to: EXPIRED,
    webhooks: [],
  },
  {
    name: 'L19: paid_late, the late coins vanish: expired, without a webhook',
    given: [WINDOW_CLOSED, lateCoins],
    from: PAID_LATE,
    when: [lateCoinsAreGone],
    to: EXPIRED,
    webhooks: [],
  },
  {
    name: 'L22: pending, the balance dropped for no known reason: needs_review',
    given: [],
    from: PENDING,
    when: [halfIsMissing],
    to: NEEDS_REVIEW,
    webhooks: ['payment.needs_review'],
  },
  {
    name: 'L22: partial, the balance dropped for no known reason: pending with needs_review',
    given: [half],
    from: PARTIAL,
    when: [halfIsMissing],
    to: NEEDS_REVIEW,
    webhooks: ['payment.needs_review'],
  },
  {
    name: 'rule 14: needs_review, the clock stops: the close of the window does nothing',
    given: [halfIsMissing],
    from: NEEDS_REVIEW,
    when: [WINDOW_CLOSED],
    to: NEEDS_REVIEW,
    webhooks: [],
  },
  {
    name: 'L23: needs_review, the missing payment is found: awaiting_confirmation when it covers',
    given: [half, halfIsMissing],
    from: NEEDS_REVIEW,
    when: [seen({ id: 'rest', amount: HALF, order: 1 })],
    to: AWAITING,
    webhooks: ['payment.pending'],
  },
  {
    name: 'L23: needs_review, the missing payment is found: partial when it does not cover',
    given: [halfIsMissing],
    from: NEEDS_REVIEW,
    when: [half],
    to: PARTIAL,
    webhooks: ['payment.partial'],
  },
  {
    name: 'L24: needs_review, the merchant confirms: completed',
    given: [halfIsMissing],
    from: NEEDS_REVIEW,
    when: [decides('confirmed')],
    to: COMPLETED,
    webhooks: ['payment.completed'],
  },
  {
    name: 'L25: needs_review, the merchant rejects: failed',
    given: [halfIsMissing],
    from: NEEDS_REVIEW,
    when: [decides('rejected')],
    to: FAILED,
    webhooks: ['payment.failed'],
  },
  {
    name: 'L12: completed, more coins arrive and confirm: overpaid',
    given: [whole, wholeIsDeep],
    from: COMPLETED,
    when: [seen({ id: 'more', order: 1, firstSeenAt: LATE }), confirmed({ id: 'more', order: 2, firstSeenAt: LATE })],
    to: COMPLETED,
    webhooks: ['payment.overpaid'],
  },
  {
    name: 'L13: completed, a deep reorganisation removes the coins: completed, and the operator is alerted',
    given: [whole, wholeIsDeep],
    from: COMPLETED,
    when: [wholeIsGone],
    to: COMPLETED,
    webhooks: [],
    alerts: 1,
  },
];
