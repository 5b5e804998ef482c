import { formatCoins } from '../../machines/index.ts';

/**
 * Exact decimals for prices: `coefficient / 10^scale`. No function rounds unless its name says so,
 * and no value is ever converted to a double.
 */
export interface Decimal {
  readonly coefficient: bigint;
  /** Number of decimal places. */
  readonly scale: number;
}

const PLAIN_DECIMAL = /^(\d{1,40})(?:\.(\d{1,40}))?$/;

/** Parses a plain non-negative decimal like "80.5". Throws a `RangeError` with `name` otherwise. */
export function parseDecimal(text: string, name: string): Decimal {
  const match = PLAIN_DECIMAL.exec(text);
  if (match === null) throw new RangeError(`${name} must be a plain decimal like "80.5", got "${text.slice(0, 60)}"`);
  const fraction = match[2] ?? '';
  return { coefficient: BigInt(`${match[1]}${fraction}`), scale: fraction.length };
}

/** Parses a plain decimal above zero. Throws a `RangeError` with `name` otherwise. */
export function parsePositiveDecimal(text: string, name: string): Decimal {
  const value = parseDecimal(text, name);
  if (value.coefficient === 0n) throw new RangeError(`${name} must be above zero`);
  return value;
}

/** Formats a decimal without superfluous zeros: "0.5", "80", never "80.50". */
export function formatDecimal({ coefficient, scale }: Decimal): string {
  return formatCoins(coefficient, scale);
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { coefficient: a.coefficient * b.coefficient, scale: a.scale + b.scale };
}

/** Negative when a is smaller, 0 when equal, positive when greater. */
export function compare(a: Decimal, b: Decimal): number {
  const [left, right] = sameScale(a, b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The two coefficients at a common scale. */
export function sameScale(a: Decimal, b: Decimal): readonly [bigint, bigint] {
  const scale = Math.max(a.scale, b.scale);
  return [a.coefficient * tenToThe(scale - a.scale), b.coefficient * tenToThe(scale - b.scale)];
}

/** `a / b` in units of `10^-places`, rounded up. `b` must be above zero. */
export function divideUp(a: Decimal, b: Decimal, places: number): bigint {
  const numerator = a.coefficient * tenToThe(b.scale + places);
  const denominator = b.coefficient * tenToThe(a.scale);
  return (numerator + denominator - 1n) / denominator;
}

/** The value with at most this many decimal places, rounded half up. */
export function roundHalfUp(value: Decimal, places: number): Decimal {
  if (value.scale <= places) return value;
  const divisor = tenToThe(value.scale - places);
  return { coefficient: (value.coefficient + divisor / 2n) / divisor, scale: places };
}

export function tenToThe(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
