import { expect } from 'vitest';
import { HOUR_MS, type TransactionContext, type TransactionState } from '../../../../machines/index.ts';
import { REQUIRED } from '../terms.ts';
import type { Invariant } from './invariants.ts';
import { countedLines, type LedgerLine, type LedgerSums, sumsOf } from './model.ts';

/** What each state guarantees, in terms of the ledger. */
export const stateChecks: readonly Invariant[] = [
  {
    name: 'every state keeps its promise about the money',
    check({ model, run }) {
      const { leaf, context } = run.view();
      const lines = countedLines(model);
      const facts: Facts = { context, sums: sumsOf(lines, endOf(context)), late: undecidedLate(lines, context) };
      expect(PROMISES[leaf as TransactionState](facts), `${leaf} with ${describeFacts(facts)}`).toBe(true);
    },
  },
];

interface Facts {
  readonly context: TransactionContext;
  readonly sums: LedgerSums;
  readonly late: readonly string[];
}

const PROMISES: { readonly [State in TransactionState]: (facts: Facts) => boolean } = {
  'open.awaitingPayment': ({ context, sums }) => sums.inTime === 0n && !context.windowClosed,
  'open.partiallyPaid': ({ context, sums }) => sums.inTime > 0n && sums.inTime < REQUIRED && !context.windowClosed,
  'open.inReview': ({ context, sums }) =>
    context.review !== null &&
    context.review.resolvedAt === null &&
    (sums.seen <= BigInt(context.review.seenAtStartBaseUnits) ||
      (sums.inTime < REQUIRED &&
        sums.seen < BigInt(context.review.seenAtStartBaseUnits) + BigInt(context.review.missingBaseUnits))),
  confirming: ({ context, sums }) =>
    (sums.inTime >= REQUIRED || context.lossSettlesAt !== null) &&
    sums.confirmedInTime < REQUIRED &&
    context.failedAt === null &&
    context.completedAt === null,
  completed: ({ context }) => context.completedAt !== null,
  'expired.watching': ({ context, sums, late }) =>
    late.length === 0 && (context.failedAt !== null || (context.windowClosed && sums.inTime < REQUIRED)),
  'expired.paidLate': ({ context, sums, late }) =>
    late.length > 0 && context.paidLateNotified && (context.failedAt !== null || sums.inTime < REQUIRED),
  failed: ({ context, late }) => context.failedAt !== null && late.length === 0,
  closedCompleted: ({ context }) => context.completedAt !== null,
  closedExpired: ({ late }) => late.length === 0,
  closedFailed: ({ context, late }) => context.failedAt !== null && late.length === 0,
};

/** When coins stop being in time; never while a review has stopped the clock before that. */
function endOf({ review, expiresAt }: TransactionContext): number {
  const isClockStopped = review !== null && review.resolvedAt === null && review.startedAt <= expiresAt;
  return isClockStopped ? Number.POSITIVE_INFINITY : expiresAt;
}

/** Coins that await a decision: first seen up to six hours late, or given up but confirmed. */
function undecidedLate(lines: readonly LedgerLine[], context: TransactionContext): string[] {
  const candidates = lines.filter((line) => {
    const isLate = line.firstSeenAt > context.expiresAt && line.firstSeenAt <= context.expiresAt + 6 * HOUR_MS;
    const isGivenUp = context.givenUpOutputIds.includes(line.outputId);
    return isGivenUp ? line.isConfirmed : isLate;
  });
  const live = candidates.filter((line) => line.presence !== 'gone').map((line) => line.outputId);
  return live.filter((outputId) => !context.acknowledgedOutputIds.includes(outputId));
}

function describeFacts({ sums, late }: Facts): string {
  return `seen ${sums.seen}, in time ${sums.inTime}, confirmed ${sums.confirmed}, late [${late.join(', ')}]`;
}
