import { parseBaseUnits } from '../vocabulary/amount.ts';
import type { TransactionContext } from './context.ts';
import type { TransactionEvent } from './events.ts';
import * as rules from './rules.ts';

interface GuardArgs {
  readonly context: TransactionContext;
  readonly event: TransactionEvent;
}

/** The questions the chart asks, each answered from the context (and, for timers, the event) alone. */
export const guards = {
  /** Coins that came in time pay the transaction; never true again once it has failed. */
  coversDueInTime: ({ context }: GuardArgs) =>
    context.failedAt === null && rules.inTimeBaseUnits(context) >= rules.requiredBaseUnits(context),
  hasSomethingInTime: ({ context }: GuardArgs) => rules.inTimeBaseUnits(context) > 0n,
  hasNothingInTime: ({ context }: GuardArgs) => rules.inTimeBaseUnits(context) === 0n,
  partialSumIsUntold: ({ context }: GuardArgs) =>
    context.partialToldBaseUnits !== rules.inTimeBaseUnits(context).toString(),
  windowIsClosed: ({ context }: GuardArgs) => context.windowClosed,

  confirmedCoversDue: ({ context }: GuardArgs) => rules.confirmedBaseUnits(context) >= rules.requiredBaseUnits(context),
  fellShortAfterWindow: ({ context }: GuardArgs) =>
    context.windowClosed && fallsShort(context) && rules.seenBaseUnits(context) > 0n,
  lostEverythingAfterWindow: ({ context }: GuardArgs) =>
    context.windowClosed && fallsShort(context) && rules.seenBaseUnits(context) === 0n,
  fellShort: ({ context }: GuardArgs) => fallsShort(context),
  deadlineMoved: ({ context }: GuardArgs) => {
    const deadline = rules.confirmationDeadline(context);
    const isHeld = rules.isVerifying(context) && (context.confirmationDeadlineAt ?? 0) > deadline;
    return context.confirmationDeadlineAt !== deadline && !isHeld;
  },

  hasLateCoins: ({ context }: GuardArgs) => rules.lateOutputs(context).length > 0,
  lateCoinsVanished: ({ context }: GuardArgs) => rules.lateOutputs(context).length === 0,

  missingPaymentFound: ({ context }: GuardArgs) =>
    context.review !== null && rules.seenBaseUnits(context) > BigInt(context.review.seenAtStartBaseUnits),

  overpaidIsUntold: ({ context }: GuardArgs) => {
    const confirmed = rules.confirmedBaseUnits(context);
    return (
      confirmed > rules.overpaidAboveBaseUnits(context) && confirmed > BigInt(context.overpaidToldBaseUnits ?? '0')
    );
  },
  settledCoinsAreGone: ({ context }: GuardArgs) => !context.lossAlerted && lostSettledCoins(context),
  settledCoinsAreBack: ({ context }: GuardArgs) => context.lossAlerted && !lostSettledCoins(context),

  depthTimerIsStale: ({ context }: GuardArgs) => context.depthTimerHeight !== rules.nextDepthHeight(context),

  /** A timer that was moved while its event was under way must not act on the new date. */
  closesThisWindow: ({ context, event }: GuardArgs) =>
    event.type === 'timer.window_closed' && !context.windowClosed && event.dueAt >= context.expiresAt,
  deadlineIsCurrent: ({ context, event }: GuardArgs) => isCurrentDeadline(context, event),
  /** Once for each deadline, and for as long as the answer is under way. */
  deadlineNeedsLastCheck: ({ context, event }: GuardArgs) =>
    isCurrentDeadline(context, event) &&
    (rules.isVerifying(context) ||
      (rules.unconfirmedInBlocks(context).length > 0 &&
        context.deadlineCheckedFor !== rules.confirmationDeadline(context))),
  monitoringIsOver: ({ context, event }: GuardArgs) =>
    event.type === 'timer.monitoring_ended' && event.dueAt >= rules.monitoringEndsAt(context),
};

function isCurrentDeadline(context: TransactionContext, event: TransactionEvent): boolean {
  const isDeadline = event.type === 'timer.confirmation_deadline_passed';
  return isDeadline && event.dueAt >= (context.confirmationDeadlineAt ?? Infinity);
}

function fallsShort(context: TransactionContext): boolean {
  return rules.seenBaseUnits(context) < rules.requiredBaseUnits(context);
}

function lostSettledCoins(context: TransactionContext): boolean {
  const settled = context.settledBaseUnits;
  return settled !== null && rules.seenBaseUnits(context) < parseBaseUnits(settled, 'settledBaseUnits');
}
