import { compare, multiply, parseDecimal, parsePositiveDecimal } from './decimal.ts';

/** Minimum value of a payment, in cents of a US dollar. */
export const MINIMUM_USD_CENTS = 100;

/** Whether the amount has that value, exactly, before rounding. `fiatUsd`: USD per unit. */
export function meetsMinimumUsd(amountFiat: string, fiatUsd: string): boolean {
  const usd = multiply(parseDecimal(amountFiat, 'amountFiat'), parsePositiveDecimal(fiatUsd, 'fiatUsd'));
  return compare(usd, { coefficient: BigInt(MINIMUM_USD_CENTS), scale: 2 }) >= 0;
}
