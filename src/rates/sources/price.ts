import { PRICED_SYMBOLS, type PricedSymbol } from '../../config/index.ts';
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

/** The arithmetic of sources: exact but for a last digit far beyond what a rate keeps. */

/** A price, or null for what is none: zero, negative, no number, or beyond anything that is sold. Reads "9.1e-6", too. */
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
 * The middle between the best bid and the best ask: current even where nobody has traded for hours. Null when one side
 * is missing, when they are crossed, or when they are too far apart to say what the thing costs.
 */
export function middleOf(bid: unknown, ask: unknown): Decimal | null {
  const [low, high] = [readPrice(bid), readPrice(ask)];
  if (low === null || high === null) return null;
  const [bidUnits, askUnits] = sameScale(low, high);
  const spread = askUnits - bidUnits;
  if (spread < 0n || spread * 100n > bidUnits * MAX_SPREAD_PERCENT) return null;
  // Half of a sum has at most one place more.
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
 * Asks for the price of everything that can be priced. What has none is left out: a source that does not list a coin
 * simply does not take part in its rate. Throws `RetryableError` RATE_SOURCE_UNREADABLE when nothing has one.
 */
export function quotesFrom(source: string, priceOf: (symbol: PricedSymbol) => Decimal | null): Quotes {
  const quotes: { [S in PricedSymbol]?: string } = {};
  for (const symbol of PRICED_SYMBOLS) {
    const usd = priceOf(symbol);
    if (usd !== null) quotes[symbol] = formatDecimal(roundHalfUp(usd, PLACES));
  }
  if (Object.keys(quotes).length === 0) throw unreadable(source, 'without a single usable price');
  return quotes;
}

// Helpers

/** As written in JSON (RFC 8259), without a sign. */
const DECIMAL = /^(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

const ONE: Decimal = { coefficient: 1n, scale: 0 };
const LEAST: Decimal = { coefficient: 1n, scale: 15 };
const MOST: Decimal = { coefficient: 10n ** 15n, scale: 0 };

/** The least price has 15 significant digits left at this many places, which is what a rate keeps. */
const PLACES = 30;

/** A wider book belongs to a market that is closed, halted or empty. */
const MAX_SPREAD_PERCENT = 2n;
