import { HOUR_MS, type TransactionException, type TransactionStatus, type UnixMs } from '../../../machines/index.ts';
import type { Ending } from '../workload/plans.ts';

/** Coins in the final chain, with enough confirmations for any payment. */
export interface FinalCoins {
  readonly litoshi: bigint;
  readonly firstSeenAt: UnixMs;
}

export interface FinalTerms {
  readonly dueLitoshi: bigint;
  readonly expiresAt: UnixMs;
  /** The final state when the chain has no coins. */
  readonly withoutCoins: Ending;
}

const LATE_WINDOW_MS = 6 * HOUR_MS;
const TOLERANCE_BASIS_POINTS = 50n;
const BASIS_POINTS = 10_000n;

/**
 * The required final state of a payment, from the coins of the final chain alone. It uses no
 * states, events or clocks: it restates the lifecycle of docs/merchants/payment-rules.md with full
 * hindsight.
 */
export function expectedEnding(
  coins: readonly FinalCoins[],
  { dueLitoshi, expiresAt, withoutCoins }: FinalTerms,
): Ending {
  const inTime = coins.filter(({ firstSeenAt }) => firstSeenAt <= expiresAt);
  const late = coins.filter(({ firstSeenAt }) => firstSeenAt > expiresAt && firstSeenAt <= expiresAt + LATE_WINDOW_MS);
  if (sum(inTime) >= dueLitoshi - toleranceOf(dueLitoshi)) return ending('completed');
  if (late.length > 0) return ending('expired', 'paid_late');
  if (coins.length > 0) return ending('expired');
  return withoutCoins;
}

// Helpers

function toleranceOf(dueLitoshi: bigint): bigint {
  return (dueLitoshi * TOLERANCE_BASIS_POINTS) / BASIS_POINTS;
}

function sum(coins: readonly FinalCoins[]): bigint {
  return coins.reduce((total, { litoshi }) => total + litoshi, 0n);
}

function ending(status: TransactionStatus, exception: TransactionException | null = null): Ending {
  return { status, exception };
}
