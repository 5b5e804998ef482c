import type { TransactionContext } from './context.ts';
import type { TransactionEvent } from './events.ts';
import { confirmationDeadline } from './rules/confirmation-deadline.ts';
import { isVerifying, nextDepthHeight } from './rules/depth-verification.ts';
import { lateOutputs } from './rules/late-coins.ts';
import { isMissingPaymentFound, lossSettlesAt, lostInTime, lostSettledCoins } from './rules/losses.ts';
import { monitoringEndsAt } from './rules/monitoring.ts';
import {
  confirmedBaseUnits,
  confirmedInTimeBaseUnits,
  everInTimeBaseUnits,
  inTimeBaseUnits,
  seenBaseUnits,
} from './rules/sums.ts';
import { coversDue, isOverpaid } from './rules/tolerance.ts';

interface GuardArgs {
  readonly context: TransactionContext;
  readonly event: TransactionEvent;
}

/** The chart's guards, pure functions of the context (and, for timers, the event). */
export const guards = {
  /** Coins seen in time cover the due amount. Never true after a missed deadline or a rejection. */
  coversDueInTime: ({ context }: GuardArgs) =>
    isOpenToCoinsInTime(context) && coversDue(context, inTimeBaseUnits(context)),
  /** Checked in every state: late coins may have moved the payment from failed to expired. */
  lostCoinsAreBack: ({ context }: GuardArgs) => context.failedBy === 'loss' && inTimeBaseUnits(context) > 0n,
  hasSomethingInTime: ({ context }: GuardArgs) => inTimeBaseUnits(context) > 0n,
  hasNothingInTime: ({ context }: GuardArgs) => inTimeBaseUnits(context) === 0n,
  partialSumIsNew: ({ context }: GuardArgs) => context.partialNotifiedBaseUnits !== inTimeBaseUnits(context).toString(),
  windowIsClosed: ({ context }: GuardArgs) => context.windowClosed,

  /** An older observation, processed later, shows that coins were first seen after the window. */
  neverCoveredInTime: ({ context }: GuardArgs) => !coversDue(context, everInTimeBaseUnits(context)),
  confirmedCoversDue: ({ context }: GuardArgs) => coversDue(context, confirmedInTimeBaseUnits(context)),
  /** Also compares the clock: a loss after the end may be processed before the window closes. */
  fellShortInWindow: ({ context, event }: GuardArgs) =>
    !context.windowClosed && event.at <= context.expiresAt && fallsShort(context),
  lossesChanged: ({ context }: GuardArgs) => {
    const noted = context.lostSince ?? {};
    const lost = lostInTime(context);
    return lost.length !== Object.keys(noted).length || lost.some(({ outputId }) => !Object.hasOwn(noted, outputId));
  },
  /**
   * Checked after those above: a shortfall counts only once it has lasted, and one that was made up
   * for no longer counts.
   */
  lossTimerIsStale: ({ context }: GuardArgs) => context.lossSettlesAt !== lossSettlesAt(context),
  deadlineMoved: ({ context }: GuardArgs) => context.confirmationDeadlineAt !== confirmationDeadline(context),

  hasLateCoins: ({ context }: GuardArgs) => lateOutputs(context).length > 0,
  lateCoinsVanished: ({ context }: GuardArgs) => lateOutputs(context).length === 0,

  missingPaymentFound: ({ context }: GuardArgs) => isMissingPaymentFound(context),

  overpaymentIsNew: ({ context }: GuardArgs) => {
    const confirmed = confirmedBaseUnits(context);
    return isOverpaid(context, confirmed) && confirmed > BigInt(context.overpaidNotifiedBaseUnits ?? '0');
  },
  settledCoinsAreGone: ({ context }: GuardArgs) => !context.lossAlerted && lostSettledCoins(context),
  settledCoinsAreBack: ({ context }: GuardArgs) => context.lossAlerted && !lostSettledCoins(context),

  verificationIsAnswered: ({ context }: GuardArgs) => context.verificationDueAt !== null && !isVerifying(context),
  depthTimerIsStale: ({ context }: GuardArgs) => context.depthTimerHeight !== nextDepthHeight(context),

  /** False for a stale event: the timer was moved after it fired. */
  closesThisWindow: ({ context, event }: GuardArgs) =>
    event.type === 'timer.window_closed' && !context.windowClosed && event.dueAt >= context.expiresAt,
  deadlineIsCurrent: ({ context, event }: GuardArgs) =>
    event.type === 'timer.confirmation_deadline_passed' && isDue(event, context.confirmationDeadlineAt),
  everythingIsLost: ({ context, event }: GuardArgs) => lossIsCurrent(context, event) && seenBaseUnits(context) === 0n,
  somethingIsLeft: ({ context, event }: GuardArgs) => lossIsCurrent(context, event),
  verificationIsOverdue: ({ context, event }: GuardArgs) =>
    event.type === 'timer.verification_overdue' && isDue(event, context.verificationDueAt),
  monitoringIsOver: ({ context, event }: GuardArgs) =>
    event.type === 'timer.monitoring_ended' && event.dueAt >= monitoringEndsAt(context),
};

function isDue(event: { readonly dueAt: number }, timerAt: number | null): boolean {
  return timerAt !== null && event.dueAt >= timerAt;
}

function lossIsCurrent(context: TransactionContext, event: TransactionEvent): boolean {
  return event.type === 'timer.loss_settled' && isDue(event, context.lossSettlesAt);
}

function isOpenToCoinsInTime(context: TransactionContext): boolean {
  return context.failedBy === null || context.failedBy === 'loss';
}

/** Late coins do not make up for a loss: otherwise the order of processing would decide. */
function fallsShort(context: TransactionContext): boolean {
  return !coversDue(context, inTimeBaseUnits(context));
}
