/** The unit of the tolerance is 0.01 %, so both conversions are exact. */

/** 50 becomes `0.5`. */
export function percentText(basisPoints: number): string {
  const whole = Math.trunc(basisPoints / 100);
  const hundredths = String(basisPoints % 100).padStart(2, '0');
  return `${whole}.${hundredths}`.replace(/\.?0+$/, '');
}

/** `0.5` and `0,50` become 50; null unless it is a percentage with at most two decimals. */
export function basisPointsOf(text: string): number | null {
  const match = PERCENTAGE.exec(text.trim());
  if (match === null) return null;
  const [, whole = '0', hundredths = ''] = match;
  return Number(whole) * 100 + Number(hundredths.padEnd(2, '0'));
}

/** The smallest amount that completes a payment of 100.00: `99.50` for 50. */
export function completeFrom(basisPoints: number): string {
  // 0.01 % of 100.00 is a cent.
  const cents = 10_000 - basisPoints;
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

// Helpers

const PERCENTAGE = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/;
