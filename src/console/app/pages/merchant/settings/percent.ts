/** A hundredth of a percent is the unit of the tolerance, so both directions are exact. */

/** 50 becomes `0.5`. */
export function percentText(basisPoints: number): string {
  const whole = Math.trunc(basisPoints / 100);
  const hundredths = String(basisPoints % 100).padStart(2, '0');
  return `${whole}.${hundredths}`.replace(/\.?0+$/, '');
}

/** `0.5` and `0,50` become 50; null for what is no percentage with at most two decimals. */
export function basisPointsOf(text: string): number | null {
  const match = PERCENTAGE.exec(text.trim());
  if (match === null) return null;
  const [, whole = '0', hundredths = ''] = match;
  return Number(whole) * 100 + Number(hundredths.padEnd(2, '0'));
}

/** From which amount on a payment of 100.00 is complete: `99.50` for 50. */
export function completeFrom(basisPoints: number): string {
  // A hundredth of a percent of 100.00 is a cent.
  const cents = 10_000 - basisPoints;
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

// Helpers

const PERCENTAGE = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/;
