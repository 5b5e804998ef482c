import {
  confirmedBaseUnits,
  isAcknowledged,
  lateOutputs,
  liveOutputs,
  type OutputRecord,
  overpaidAboveBaseUnits,
  PAID_LATE_WINDOW_MS,
  sumBaseUnits,
  type TransactionContext,
  wasGivenUp,
} from '../../../machines/index.ts';

/**
 * What about a payment needs a person, in the order of urgency.
 *
 * - paid_late        late coins wait for the decision whether they pay
 * - needs_review     coins left the address unexplained; somebody decides whether it was paid
 * - underpaid        it ended unpaid although coins are there: they came in time but were too little, or were all that was
 *                    confirmed when it failed
 * - overpaid         more than due and tolerance is confirmed
 * - coins_on_closed  coins came after the payment was closed and nothing else names them
 * - unassigned_coins  more outputs came than a payment takes; kept by whoever records those, and not by the payment
 */
export const ATTENTION_KINDS = [
  'paid_late',
  'needs_review',
  'underpaid',
  'overpaid',
  'coins_on_closed',
  'unassigned_coins',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export interface AttentionFact {
  readonly kind: AttentionKind;
  /** The coins it is about, above zero but for a review of nothing: too few, too many, late, or missing. */
  readonly baseUnits: bigint;
  /** The outputs it is about, sorted. Empty for a review. */
  readonly outputIds: readonly string[];
}

/**
 * What needs a person now, from the actor's leaf and context alone. The same facts give the same items in whatever order they became
 * known; a decision or the loss of coins takes them away again.
 */
export function attentionOf(state: string, context: TransactionContext): readonly AttentionFact[] {
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

/** Whether there may ever have been an item: most payments end without, and cost no look at the table. */
export function mayNeedAttention({ review, windowClosed, completedAt, failedAt }: TransactionContext): boolean {
  return review !== null || windowClosed || completedAt !== null || failedAt !== null;
}

// Helpers

/**
 * What the merchant accepted by hand counts as settled, however little it was: what is confirmed beyond it came afterwards. The chain
 * completes only what is due, so there the rest is either overpaid or within the tolerance.
 */
function afterCompletion(context: TransactionContext): readonly AttentionFact[] {
  const confirmed = liveOutputs(context.outputs).filter((output) => output.confirmedAt !== null);
  const sum = confirmedBaseUnits(context);
  const outputIds = idsOf(confirmed);
  if (sum > overpaidAboveBaseUnits(context)) {
    return [{ kind: 'overpaid', baseUnits: sum - BigInt(context.dueBaseUnits), outputIds }];
  }
  const beyond = sum - BigInt(context.settledBaseUnits ?? context.dueBaseUnits);
  if (context.completedBy !== 'merchant' || beyond <= BigInt(context.toleranceBaseUnits)) return [];
  return [{ kind: 'coins_on_closed', baseUnits: beyond, outputIds }];
}

/**
 * Coins within six hours after the window are not here: those that nobody decided about wait as `paid_late`. While they do, coins that
 * came in time are part of that decision; when it is dismissed, they are still there.
 */
function afterExpiry(context: TransactionContext): readonly AttentionFact[] {
  const { expiresAt } = context;
  const live = liveOutputs(context.outputs);
  const lateUntil = expiresAt + PAID_LATE_WINDOW_MS;
  const tooLate = live.filter((output) => output.firstSeenAt > lateUntil && !isAcknowledged(context, output));
  return [
    ...aboutOutputs(
      'underpaid',
      live.filter(({ firstSeenAt }) => firstSeenAt <= expiresAt),
    ),
    ...aboutOutputs('coins_on_closed', tooLate),
  ];
}

/**
 * What came in time and was confirmed when it failed, unless a person rejected it, who had it in view; and coins that came afterwards
 * and raise nothing. Late coins were settled when they were dismissed. Coins that were given up are in neither: they raise
 * `paid_late` once they are confirmed, and may still be lost.
 */
function afterFailure(context: TransactionContext): readonly AttentionFact[] {
  const { failedBy, expiresAt } = context;
  const live = liveOutputs(context.outputs).filter((output) => !wasGivenUp(context, output));
  const wasThere = (output: OutputRecord) => isAcknowledged(context, output);
  const confirmed = live.filter(
    (output) => wasThere(output) && output.confirmedAt !== null && output.firstSeenAt <= expiresAt,
  );
  const came = live.filter((output) => !wasThere(output));
  return [
    ...(failedBy === 'merchant' ? [] : aboutOutputs('underpaid', confirmed)),
    ...aboutOutputs('coins_on_closed', came),
  ];
}

function aboutOutputs(kind: AttentionKind, outputs: readonly OutputRecord[]): readonly AttentionFact[] {
  if (outputs.length === 0) return [];
  return [{ kind, baseUnits: sumBaseUnits(outputs), outputIds: idsOf(outputs) }];
}

function idsOf(outputs: readonly OutputRecord[]): readonly string[] {
  return outputs.map(({ outputId }) => outputId).sort();
}
