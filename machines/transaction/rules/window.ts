import { ASSETS, type CryptoSymbol } from '../../vocabulary/asset.ts';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../../vocabulary/time.ts';
import type { OutputRecord, TransactionContext } from '../context.ts';
import { isDeclined } from './declined-coins.ts';
import { requireWhole } from './require-whole.ts';
import { isWithin, limitsOf } from './time-limits.ts';

/**
 * The payment window, and for how long the address is watched after it. The locked exchange rate
 * holds exactly as long as the window: coins first seen later do not complete a payment by
 * themselves.
 */

const WINDOW_MINUTES = 30;

/** A stablecoin's price hardly changes, so its quote can stay open longer. */
const STABLE_WINDOW_MINUTES = 60;

export const MIN_WINDOW_MINUTES = 10;

export const MAX_WINDOW_MINUTES = 1_440;

/** An address stays watched for this long after its window closed. */
export const MONITORING_MS = 30 * DAY_MS;

/** Payment window in ms: the merchant's setting (10 to 1440 minutes) or the coin's default. */
export function windowMs(symbol: CryptoSymbol, merchantMinutes: number | null): number {
  if (merchantMinutes === null) {
    return (ASSETS[symbol].stable ? STABLE_WINDOW_MINUTES : WINDOW_MINUTES) * MINUTE_MS;
  }
  requireWhole('the payment window in minutes', merchantMinutes, MIN_WINDOW_MINUTES, MAX_WINDOW_MINUTES);
  return merchantMinutes * MINUTE_MS;
}

/**
 * Whether an output was first seen inside the window. A replacement has the first sighting of what
 * it replaces, but only up to the confirmation deadline after the window: a transaction that was
 * shown once and taken back must not keep the rate for as long as the address is watched. Never
 * true of declined coins.
 */
export function isInTime(context: TransactionContext, output: OutputRecord): boolean {
  return isWithin(output, limitsOf(context)) && !isDeclined(context)(output);
}

/** When the address stops being watched. Unix ms. */
export function monitoringEndsAt(context: TransactionContext): UnixMs {
  return context.expiresAt + MONITORING_MS;
}
