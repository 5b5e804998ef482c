/**
 * The value of coins in the payment's fiat currency, at the rate locked at creation: their share of
 * the amount due, rounded half up to cents. The amount due is worth exactly `amountFiat`, a decimal
 * with at most two places.
 */
export function fiatWorth(
  baseUnits: bigint,
  { dueBaseUnits, amountFiat }: { readonly dueBaseUnits: bigint; readonly amountFiat: string },
): string {
  const [whole = '0', fraction = ''] = amountFiat.split('.');
  const dueCents = BigInt(whole + fraction.padEnd(CENT_PLACES, '0'));
  const sign = baseUnits < 0n ? '-' : '';
  const size = baseUnits < 0n ? -baseUnits : baseUnits;
  const cents = ((2n * size * dueCents + dueBaseUnits) / (2n * dueBaseUnits)).toString().padStart(CENT_PLACES + 1, '0');
  return `${sign}${cents.slice(0, -CENT_PLACES)}.${cents.slice(-CENT_PLACES)}`;
}

// Helpers

const CENT_PLACES = 2;
