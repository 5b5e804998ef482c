import { formatCoins, parseCoins } from '../../machines/index.ts';
import { TerminalError } from '../errors.ts';
import { MAX_FIAT_AMOUNT } from '../rates/index.ts';

/** Every currency prices can be given in has cents. */
const FIAT_DECIMALS = 2;
const CENTS = 10 ** FIAT_DECIMALS;
const MAX_CENTS = BigInt(MAX_FIAT_AMOUNT) * BigInt(CENTS);
/** No sign, no exponent, no leading zeros, no separators, no other digits than these ten. */
const STRICT_DECIMAL = /^(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,2})?$/;

/**
 * Reads a fiat amount that came as text into cents. Throws `INVALID_AMOUNT` unless it is a plain decimal like 25 or 24.99,
 * above 0 and not beyond what one payment can carry: an amount is never guessed. `name` is what the message calls it.
 */
export function readCents(text: string, name = 'amount'): bigint {
  if (!STRICT_DECIMAL.test(text)) {
    throw invalid(`${name} must be a decimal like 25 or 24.99: digits, and a dot with at most 2 decimals`);
  }
  const cents = parseCoins(text, FIAT_DECIMALS);
  if (cents === 0n) throw invalid(`${name} must be above 0`);
  if (cents > MAX_CENTS) throw invalid(`${name} may be at most ${MAX_FIAT_AMOUNT}`);
  return cents;
}

/** Without trailing zeros, as transactions write it. */
export function centsText(cents: bigint): string {
  return formatCoins(cents, FIAT_DECIMALS);
}

/** As `CreateRequest` takes it: the double next to that many cents, which `parseFiatAmount` reads back exactly. */
export function amountOf(cents: bigint): number {
  return Number(cents) / CENTS;
}

// Helpers

function invalid(message: string): TerminalError {
  return new TerminalError('INVALID_AMOUNT', message);
}
