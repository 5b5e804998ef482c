import { formatCoins, parseCoins } from '../../machines/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { MAX_FIAT_AMOUNT } from '../rates/index.ts';
import type { LinkPrice } from './link.ts';

/** All supported fiat currencies have cents. */
const FIAT_DECIMALS = 2;
const CENTS = 10 ** FIAT_DECIMALS;
const MAX_CENTS = BigInt(MAX_FIAT_AMOUNT) * BigInt(CENTS);
const UNSTATED_MAX_CENTS = 1_000_000n * BigInt(CENTS);
/** No sign, exponent, leading zeros or separators, and only the digits 0 to 9. */
const STRICT_DECIMAL = /^(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,2})?$/;

/**
 * Parses a fiat amount into cents. Throws `INVALID_AMOUNT` unless it is a plain decimal like 25 or
 * 24.99, above 0 and at most what one payment can carry; nothing is guessed. `name` is the field's
 * name in the message.
 */
export function readCents(text: string, name = 'amount'): bigint {
  if (!STRICT_DECIMAL.test(text)) {
    throw invalid(name, 'must be a decimal like 25 or 24.99: digits, and a dot with at most 2 decimals');
  }
  const cents = parseCoins(text, FIAT_DECIMALS);
  if (cents === 0n) throw invalid(name, 'must be above 0');
  if (cents > MAX_CENTS) throw invalid(name, `may be at most ${MAX_FIAT_AMOUNT}`);
  return cents;
}

/**
 * The most that a customer may enter on the page of a link with an open price. Where the merchant
 * has set no maximum, more than a million is treated as a typing error, unless the minimum is more.
 */
export function highestCents({ minCents, maxCents }: Extract<LinkPrice, { kind: 'open' }>): bigint {
  if (maxCents !== null) return maxCents;
  return minCents !== null && minCents > UNSTATED_MAX_CENTS ? MAX_CENTS : UNSTATED_MAX_CENTS;
}

/** Decimal text without trailing zeros, as transactions write it. */
export function centsText(cents: bigint): string {
  return formatCoins(cents, FIAT_DECIMALS);
}

/** The nearest double, for `CreateRequest`; `parseFiatAmount` reads it back exactly. */
export function amountOf(cents: bigint): number {
  return Number(cents) / CENTS;
}

/** A price as decimal text; null for what it does not have. */
interface PriceText {
  readonly amount: string | null;
  readonly min: string | null;
  readonly max: string | null;
}

/** The price of a new link, and the names of its parts in messages. */
interface PriceInput extends PriceText {
  readonly names: { readonly amount: string; readonly min: string; readonly max: string };
}

/**
 * The price of a link: fixed when there is an amount, otherwise chosen by the payer. Throws
 * `INVALID_AMOUNT` for a part that is not an amount, `INVALID_REQUEST` for a fixed price with
 * bounds.
 */
export function readPrice({ amount, min, max, names }: PriceInput): LinkPrice {
  if (amount === null) {
    const centsOrNull = (text: string | null, name: string) => (text === null ? null : readCents(text, name));
    return { kind: 'open', minCents: centsOrNull(min, names.min), maxCents: centsOrNull(max, names.max) };
  }
  if (min === null && max === null) return { kind: 'fixed', cents: readCents(amount, names.amount) };
  const message = `A link with ${names.amount} has a fixed price: omit ${names.min} and ${names.max}, or ${names.amount}`;
  throw new TerminalError('INVALID_REQUEST', message, { field: names.amount });
}

export function priceText(price: LinkPrice): PriceText {
  if (price.kind === 'fixed') return { amount: centsText(price.cents), min: null, max: null };
  const textOrNull = (cents: bigint | null) => (cents === null ? null : centsText(cents));
  return { amount: null, min: textOrNull(price.minCents), max: textOrNull(price.maxCents) };
}

// Helpers

function invalid(name: string, rule: string): TerminalError {
  return new TerminalError('INVALID_AMOUNT', `${name} ${rule}`, { field: name });
}
