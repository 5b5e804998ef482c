import { PRICED_SYMBOLS, type PricedSymbol } from '../../platform/config/index.ts';
import {
  compare,
  type Decimal,
  divideUp,
  formatDecimal,
  multiply,
  roundHalfUp,
  sameScale,
  tenToThe,
} from '../decimal.ts';
import { unreadable } from '../http/failures.ts';
import type { Quotes } from '../source.ts';

/** Price arithmetic of sources: exact up to a rounding far below the precision of a rate. */

/** Parses a price, also "9.1e-6". Null if not a number, not positive, or implausible. */
export function readPrice(value: unknown): Decimal | null {
  const match = typeof value === 'string' ? DECIMAL.exec(value) : null;
  if (match === null) return null;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  const price = scale < 0 ? { coefficient: digits * tenToThe(-scale), scale: 0 } : { coefficient: digits, scale };
  return compare(price, LEAST) >= 0 && compare(price, MOST) <= 0 ? price : null;
}

/**
 * The mid price of best bid and best ask, which stays current even without trades. Null when one
 * side is missing, when bid and ask are crossed, or when the spread is too wide to give a price.
 */
export function middleOf(bid: unknown, ask: unknown): Decimal | null {
  const [low, high] = [readPrice(bid), readPrice(ask)];
  if (low === null || high === null) return null;
  const [bidUnits, askUnits] = sameScale(low, high);
  const spread = askUnits - bidUnits;
  if (spread < 0n || spread * 100n > bidUnits * MAX_SPREAD_PERCENT) return null;
  // Halving a sum adds at most one decimal place.
  return { coefficient: (bidUnits + askUnits) * 5n, scale: Math.max(low.scale, high.scale) + 1 };
}

export function ratio(over: Decimal, under: Decimal): Decimal {
  return { coefficient: divideUp(over, under, PLACES), scale: PLACES };
}

/** USD per unit, from units per USD. */
export function inverse(unitsPerUsd: Decimal): Decimal {
  return ratio(ONE, unitsPerUsd);
}

export function product(a: Decimal, b: Decimal): Decimal {
  return roundHalfUp(multiply(a, b), PLACES);
}

/**
 * Collects the quotes of all priced symbols. Symbols without a price are omitted: the source then
 * does not count for their rate. Throws `RetryableError` RATE_SOURCE_UNREADABLE when no symbol has
 * a price.
 */
export function quotesFrom(source: string, priceOf: (symbol: PricedSymbol) => Decimal | null): Quotes {
  const quotes: { [S in PricedSymbol]?: string } = {};
  for (const symbol of PRICED_SYMBOLS) {
    const usd = priceOf(symbol);
    if (usd !== null) quotes[symbol] = formatDecimal(roundHalfUp(usd, PLACES));
  }
  if (Object.keys(quotes).length === 0) throw unreadable(source, 'no usable prices');
  return quotes;
}

// Helpers

/** A JSON number (RFC 8259) without a sign. */
const DECIMAL = /^(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

const ONE: Decimal = { coefficient: 1n, scale: 0 };
const LEAST: Decimal = { coefficient: 1n, scale: 15 };
const MOST: Decimal = { coefficient: 10n ** 15n, scale: 0 };

/** Decimal places at which even the lowest price keeps 15 significant digits, as a rate does. */
const PLACES = 30;

/** A wider spread means that the market is closed, halted or empty. */
const MAX_SPREAD_PERCENT = 2n;
