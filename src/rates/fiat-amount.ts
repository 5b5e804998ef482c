import { ASSETS, type CryptoSymbol, type FiatCurrency } from '../../machines/index.ts';
import { formatDecimal, multiply, parsePositiveDecimal, tenToThe } from './decimal.ts';
import type { RateTable } from './rate-table.ts';

/** Maximum payment amount, in any fiat currency. */
export const MAX_FIAT_AMOUNT = 1e12;

export type FiatAmountProblem = 'not_a_number' | 'not_positive' | 'too_many_decimals' | 'too_large';

/** A decimal string with at most 2 places, or an error; merchants may see its `message`. */
export type FiatAmountResult =
  | { readonly ok: true; readonly amountFiat: string }
  | { readonly ok: false; readonly reason: FiatAmountProblem; readonly message: string };

/**
 * Parses a fiat amount given as a JSON number. Floating-point noise, as in 59.970000000000006, is
 * rounded to the nearest cent; a real third decimal is rejected, because rounding money should not
 * be guesswork.
 */
export function parseFiatAmount(value: number): FiatAmountResult {
  if (!Number.isFinite(value)) return rejected('not_a_number');
  if (value <= 0) return rejected('not_positive');
  if (value > MAX_FIAT_AMOUNT) return rejected('too_large');
  const cents = Math.round(value * 100);
  // cents / 100 is the double nearest to that many cents, so an exact amount has zero noise.
  const noise = Math.abs(value - cents / 100);
  if (noise > Math.min(value * NOISE_FRACTION, NOISE_LIMIT)) return rejected('too_many_decimals');
  return { ok: true, amountFiat: formatDecimal({ coefficient: BigInt(cents), scale: 2 }) };
}

/**
 * The value of base units of a coin at the current rate, in cents, rounded half up: for display
 * only. Null without a rate.
 */
export function fiatCents(
  rates: RateTable,
  { baseUnits, symbol }: { readonly baseUnits: bigint; readonly symbol: CryptoSymbol },
  currency: FiatCurrency,
): bigint | null {
  const [crypto, fiat] = [rates.get(symbol), rates.getFiat(currency)];
  if (crypto === null || fiat === null) return null;
  const amount = { coefficient: baseUnits, scale: ASSETS[symbol].decimals };
  const usd = multiply(amount, parsePositiveDecimal(crypto.usd, 'crypto.usd'));
  const unit = parsePositiveDecimal(fiat.usd, 'fiat.usd');
  const [value, divisor] = [usd.coefficient * tenToThe(unit.scale + 2), unit.coefficient * tenToThe(usd.scale)];
  return (value + divisor / 2n) / divisor;
}

// Helpers

const NOISE_FRACTION = 1e-9;
/** For large amounts the fraction alone would tolerate whole cents. */
const NOISE_LIMIT = 1e-5;

const MESSAGES: { readonly [P in FiatAmountProblem]: string } = {
  not_a_number: 'The amount must be a number.',
  not_positive: 'The amount must be above 0.',
  too_many_decimals: 'The amount may have at most 2 decimals.',
  too_large: 'The amount may be at most 1000000000000.',
};

function rejected(reason: FiatAmountProblem): FiatAmountResult {
  return { ok: false, reason, message: MESSAGES[reason] };
}
