import { ASSETS, type CryptoSymbol } from '../../vocabulary/asset.ts';
import { MINUTE_MS } from '../../vocabulary/time.ts';
import { requireWhole } from './require-whole.ts';

/**
 * The length of the payment window. The locked exchange rate holds exactly as long as the window:
 * coins first seen later do not complete a payment by themselves.
 */

const WINDOW_MINUTES = 30;

/** A stablecoin's price hardly changes, so its quote can stay open longer. */
const STABLE_WINDOW_MINUTES = 60;

export const MIN_WINDOW_MINUTES = 10;

export const MAX_WINDOW_MINUTES = 1_440;

/** Payment window in ms: the merchant's setting (10 to 1440 minutes) or the coin's default. */
export function windowMs(symbol: CryptoSymbol, merchantMinutes: number | null): number {
  if (merchantMinutes === null) {
    return (ASSETS[symbol].stable ? STABLE_WINDOW_MINUTES : WINDOW_MINUTES) * MINUTE_MS;
  }
  requireWhole('the payment window in minutes', merchantMinutes, MIN_WINDOW_MINUTES, MAX_WINDOW_MINUTES);
  return merchantMinutes * MINUTE_MS;
}
