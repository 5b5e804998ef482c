import type { TransactionEvent, UnixMs } from '../../../../machines/index.ts';
import { OPENED_AT } from '../terms.ts';

/**
 * A ledger: the delivered observations and their sums. It knows nothing of states, timers or
 * decisions, and recomputes everything from the whole list, so it cannot share the chart's folding
 * errors.
 */
export interface LedgerModel {
  /** Amounts of the outputs this run may report, by slot. */
  readonly cast: readonly bigint[];
  /** The clock that timestamps accepted events. */
  now: UnixMs;
  /** Order number of the newest observation so far. */
  lastOrder: number;
  /** When the coins of each slot were first seen; every observation of them has this time. */
  readonly sightings: Map<number, UnixMs>;
  /** Delivered to the actor before its end, in order of arrival. */
  readonly delivered: OutputEvent[];
  /** Settled by a user after the payment had ended unpaid: these pay nothing any more. */
  readonly settled: Set<string>;
  /** Settled by users as too much after the payment was completed. */
  surplusSettled: bigint;
  /** Losses that users have settled after it. */
  lossSettled: bigint;
  /** Made by the watcher and not delivered yet. */
  readonly inProgress: OutputEvent[];
}

export type OutputEvent = Extract<TransactionEvent, { outputId: string }>;

/** One output as derived from all its observations. */
export interface LedgerLine {
  readonly outputId: string;
  readonly amountBaseUnits: bigint;
  readonly firstSeenAt: UnixMs;
  readonly presence: 'mempool' | 'block' | 'gone';
  readonly height: number | null;
  readonly isConfirmed: boolean;
}

export interface LedgerSums {
  readonly seen: bigint;
  readonly inTime: bigint;
  readonly confirmed: bigint;
  readonly confirmedInTime: bigint;
}

export function createLedger(cast: readonly bigint[]): LedgerModel {
  return {
    cast,
    now: OPENED_AT,
    lastOrder: 0,
    sightings: new Map(),
    delivered: [],
    settled: new Set(),
    surplusSettled: 0n,
    lossSettled: 0n,
    inProgress: [],
  };
}

/** Derives the ledger lines: newest state of each output, first sighting, newest verification. */
export function linesOf(observations: readonly OutputEvent[]): LedgerLine[] {
  const ids = [...new Set(observations.map((observation) => observation.outputId))];
  return ids.map((outputId) => {
    const own = observations.filter((observation) => observation.outputId === outputId);
    const newest = own.reduce((best, next) => (next.order > best.order ? next : best));
    const verifications = own.filter((observation) => observation.type === 'chain.output_confirmed');
    const verifiedIn = verifications.sort((a, b) => b.order - a.order)[0]?.blockHash;
    const block = 'blockHash' in newest ? newest : null;
    return {
      outputId,
      amountBaseUnits: BigInt(newest.amountBaseUnits),
      firstSeenAt: own.reduce((first, next) => (next.order < first.order ? next : first)).firstSeenAt,
      presence: block ? 'block' : newest.type === 'chain.output_dropped' ? 'gone' : 'mempool',
      height: block?.height ?? null,
      isConfirmed: block !== null && block.blockHash === verifiedIn,
    };
  });
}

/** The lines that may still pay. */
export function countedLines({ delivered, settled }: LedgerModel): LedgerLine[] {
  return linesOf(delivered).filter(({ outputId }) => !settled.has(outputId));
}

export function sumsOf(lines: readonly LedgerLine[], expiresAt: UnixMs): LedgerSums {
  const live = lines.filter((line) => line.presence !== 'gone');
  const inTime = live.filter((line) => line.firstSeenAt <= expiresAt);
  return {
    seen: total(live),
    inTime: total(inTime),
    confirmed: total(live.filter((line) => line.isConfirmed)),
    confirmedInTime: total(inTime.filter((line) => line.isConfirmed)),
  };
}

function total(lines: readonly LedgerLine[]): bigint {
  return lines.reduce((sum, line) => sum + line.amountBaseUnits, 0n);
}
