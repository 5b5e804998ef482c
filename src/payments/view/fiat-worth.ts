import { parseCoins } from '../../../machines/index.ts';

/**
 * The value of coins in the payment's fiat currency, at the rate locked at creation: their share of
 * the amount due, rounded half up to cents. The amount due is worth exactly `amountFiat`, a decimal
 * with at most two places.
 */
export function fiatWorth(
  baseUnits: bigint,
  { dueBaseUnits, amountFiat }: { readonly dueBaseUnits: bigint; readonly amountFiat: string },
): string {
  const dueCents = parseCoins(amountFiat, CENT_PLACES);
  const sign = baseUnits < 0n ? '-' : '';
  const size = baseUnits < 0n ? -baseUnits : baseUnits;
  return `${sign}${fiatText((2n * size * dueCents + dueBaseUnits) / (2n * dueBaseUnits))}`;
}

/** Due minus paid, both rounded as shown, so that the three amounts add up; at least 0.00. */
export function fiatLeft(dueFiat: string, paidFiat: string): string {
  const left = parseCoins(dueFiat, CENT_PLACES) - parseCoins(paidFiat, CENT_PLACES);
  return fiatText(left > 0n ? left : 0n);
}

// Helpers

const CENT_PLACES = 2;

function fiatText(cents: bigint): string {
  const digits = cents.toString().padStart(CENT_PLACES + 1, '0');
  return `${digits.slice(0, -CENT_PLACES)}.${digits.slice(-CENT_PLACES)}`;
}
