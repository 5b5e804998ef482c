import { formatCoins } from '../../../../machines/index.ts';

/** `up` for requested amounts, `down` for received ones. */
export type Rounding = 'up' | 'down';

/** As many as fit on a small screen; the remainder of a payment in ether can have 18. */
const MAX_DECIMALS = 8;
/** Zero, and every amount with nothing in its first 8 decimals. */
const LESS_THAN_A_DECIMAL = /^0(?:$|\.0{8})/;

/**
 * The amount with at most 8 decimals. Those of an amount below one are counted from its first digit
 * that is not zero, so that the amount never becomes zero. The difference is less than one unit of
 * the last decimal. Text that is not a decimal is returned unchanged.
 */
export function shortAmount(amount: string, rounding: Rounding): string {
  const [, whole = '', fraction = ''] = /^(\d+)\.(\d+)$/.exec(amount) ?? [];
  const leadingZeros = whole === '0' ? fraction.length - fraction.replace(/^0+/, '').length : 0;
  const decimals = leadingZeros + MAX_DECIMALS;
  if (fraction.length <= decimals) return amount;
  const isRounded = rounding === 'up' && /[1-9]/.test(fraction.slice(decimals));
  return formatCoins(BigInt(whole + fraction.slice(0, decimals)) + (isRounded ? 1n : 0n), decimals);
}

/** Whether an excess can come from a customer who paid the short form of an amount. */
export function isFromRounding(excess: string): boolean {
  return LESS_THAN_A_DECIMAL.test(excess);
}
