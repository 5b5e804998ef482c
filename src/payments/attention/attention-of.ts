import {
  beyondDeclined,
  confirmedBalanceBaseUnits,
  isAcknowledged,
  isDeclined,
  isInTime,
  lateOutputs,
  liveOutputs,
  type OutputRecord,
  overpaidAboveBaseUnits,
  PAID_LATE_WINDOW_MS,
  sumBaseUnits,
  type TransactionContext,
  wasGivenUp,
} from '../../../machines/index.ts';
import { lostBaseUnits } from '../projection/loss.ts';

/**
 * What about a payment needs a person, most urgent first.
 *
 * - paid_late         late coins wait for the decision whether they pay
 * - needs_review      coins left the address unexplained; a person decides whether it was paid
 * - coins_lost        coins it was completed with have left the chain again
 * - underpaid         it ended unpaid with coins: too little in time, or too little confirmed when
 *   it failed
 * - overpaid          more than due plus tolerance is confirmed
 * - coins_on_closed   coins arrived after the payment was closed, covered by no other kind, or
 *   returned after a user had settled their loss
 * - unassigned_coins  more outputs than a payment accepts; kept by the code that records those
 */
export const ATTENTION_KINDS = [
  'paid_late',
  'needs_review',
  'coins_lost',
  'underpaid',
  'overpaid',
  'coins_on_closed',
  'unassigned_coins',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export interface AttentionReason {
  readonly kind: AttentionKind;
  /**
   * Base units of the coins concerned: too few, too many, late, or missing. Above zero, except for
   * a review of nothing.
   */
  readonly baseUnits: bigint;
  /** The outputs concerned, sorted. Empty for a review and for lost coins. */
  readonly outputIds: readonly string[];
}

/**
 * What needs a person now, from the actor's leaf and context alone. The same reasons give the same
 * items, in any order of arrival; a decision or the loss of coins removes them again.
 */
export function attentionOf(state: string, context: TransactionContext): readonly AttentionReason[] {
  switch (state) {
    case 'expired.paidLate':
      return aboutOutputs('paid_late', lateOutputs(context));
    case 'open.inReview':
      return [{ kind: 'needs_review', baseUnits: BigInt(context.review?.missingBaseUnits ?? '0'), outputIds: [] }];
    case 'completed':
    case 'closedCompleted':
      return afterCompletion(context);
    case 'expired.watching':
    case 'closedExpired':
    case 'failed':
    case 'closedFailed':
      return context.failedAt === null ? afterExpiry(context) : afterFailure(context);
    default:
      return [];
  }
}

/** Whether there may ever have been an item: most payments never have one and skip the query. */
export function mayNeedAttention({ review, windowClosed, completedAt, failedAt }: TransactionContext): boolean {
  return review !== null || windowClosed || completedAt !== null || failedAt !== null;
}

// Helpers

/**
 * Late coins that the merchant accepted count as settled, however few: coins confirmed beyond them
 * arrived afterwards, and all of them are named, even where they exceed what was due. The chain,
 * and the merchant in a review, complete all that is due, so there the rest is either overpaid or
 * within the tolerance.
 */
function afterCompletion(context: TransactionContext): readonly AttentionReason[] {
  const lost = lostBaseUnits(context);
  if (lost > 0n) return [{ kind: 'coins_lost', baseUnits: lost, outputIds: [] }];
  const declines = isDeclined(context);
  const confirmed = liveOutputs(context.outputs).filter((output) => output.confirmedAt !== null && !declines(output));
  const sum = confirmedBalanceBaseUnits(context);
  const outputIds = idsOf(confirmed);
  const due = BigInt(context.dueBaseUnits);
  const settled = BigInt(context.settledBaseUnits ?? due);
  const acceptedLess = context.completedBy === 'merchant' && !wasConfirmedInReview(context) && settled < due;
  if (!acceptedLess) {
    if (sum <= overpaidAboveBaseUnits(context)) return [];
    return [
      {
        kind: context.lossSettledBaseUnits === undefined ? 'overpaid' : 'coins_on_closed',
        baseUnits: sum - due,
        outputIds,
      },
    ];
  }
  const beyond = sum - settled;
  if (beyond <= BigInt(context.toleranceBaseUnits)) return [];
  return [{ kind: 'coins_on_closed', baseUnits: beyond, outputIds }];
}

/** The decision ended the review; one that coins ended before is only history. */
function wasConfirmedInReview({ review, completedAt }: TransactionContext): boolean {
  return review !== null && review.resolvedAt === completedAt;
}

/**
 * Excludes coins seen within six hours after the window: undecided ones wait as `paid_late`. While
 * they do, coins seen in time are part of that decision; after a dismissal they are still there.
 */
function afterExpiry(context: TransactionContext): readonly AttentionReason[] {
  const { expiresAt } = context;
  const live = liveOutputs(context.outputs);
  const lateUntil = expiresAt + PAID_LATE_WINDOW_MS;
  const tooLate = live.filter((output) => output.firstSeenAt > lateUntil && !isAcknowledged(context, output));
  return [
    ...aboutOutputs(
      'underpaid',
      live.filter((output) => isInTime(context, output)),
    ),
    ...onClosed(context, tooLate),
  ];
}

/**
 * Coins seen in time and confirmed when it failed, unless a user, who had seen them, rejected it;
 * and coins that arrived later and raise nothing else. Late coins were settled when they were
 * dismissed. Coins lost by the deadline are in neither: they raise `paid_late` once confirmed, and
 * may still be lost.
 */
function afterFailure(context: TransactionContext): readonly AttentionReason[] {
  const { failedBy } = context;
  const live = liveOutputs(context.outputs).filter((output) => !wasGivenUp(context, output));
  const wasThere = (output: OutputRecord) => isAcknowledged(context, output);
  const confirmed = live.filter(
    (output) => wasThere(output) && output.confirmedAt !== null && isInTime(context, output),
  );
  const came = live.filter((output) => !wasThere(output));
  return [...(failedBy === 'merchant' ? [] : aboutOutputs('underpaid', confirmed)), ...onClosed(context, came)];
}

/** Coins that raise nothing else, and what came beyond declined ones. */
function onClosed(context: TransactionContext, came: readonly OutputRecord[]): readonly AttentionReason[] {
  const beyond = beyondDeclined(context);
  const baseUnits = sumBaseUnits(came) + beyond.baseUnits;
  return baseUnits === 0n
    ? []
    : [{ kind: 'coins_on_closed', baseUnits, outputIds: idsOf([...came, ...beyond.outputs]) }];
}

function aboutOutputs(kind: AttentionKind, outputs: readonly OutputRecord[]): readonly AttentionReason[] {
  if (outputs.length === 0) return [];
  return [{ kind, baseUnits: sumBaseUnits(outputs), outputIds: idsOf(outputs) }];
}

function idsOf(outputs: readonly OutputRecord[]): readonly string[] {
  return outputs.map(({ outputId }) => outputId).sort();
}
