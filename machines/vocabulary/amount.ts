/**
 * Amounts of coins. In code an amount is a `bigint` count of base units (satoshi, litoshi, wei); in
 * snapshots, events and payloads it is the decimal string of that integer, because JSON has no
 * bigint and a double loses precision above 2^53.
 */

/** A non-negative integer count of base units, written in decimal without sign or leading zeros. */
export type BaseUnitsString = string;

const BASE_UNITS_PATTERN = /^(0|[1-9][0-9]{0,77})$/;

/** Parses a base-unit string. Throws a `RangeError` naming `name` when it is not one. */
export function parseBaseUnits(value: BaseUnitsString, name = 'amount'): bigint {
  if (!BASE_UNITS_PATTERN.test(value)) {
    throw new RangeError(`${name} must be a non-negative integer count of base units, got "${value}"`);
  }
  return BigInt(value);
}

/**
 * Formats base units as an exact decimal in whole coins, without trailing zeros: 150000000 with 8
 * decimals is "1.5".
 */
export function formatCoins(baseUnits: bigint, decimals: number): string {
  const sign = baseUnits < 0n ? '-' : '';
  const digits = (baseUnits < 0n ? -baseUnits : baseUnits).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/**
 * Parses a plain decimal ("1.5", "0.00000001") into base units. Throws a `RangeError` when it is
 * not a plain non-negative decimal or has more than `decimals` places: nothing is ever rounded
 * here.
 */
export function parseCoins(value: string, decimals: number, name = 'amount'): bigint {
  const match = /^(\d{1,60})(?:\.(\d+))?$/.exec(value);
  const fraction = match?.[2] ?? '';
  if (match === null || fraction.length > decimals) {
    throw new RangeError(`${name} must be a decimal with at most ${decimals} places, got "${value}"`);
  }
  return BigInt(match[1] + fraction.padEnd(decimals, '0'));
}

/** Sum of the amounts, in base units. */
export function sumBaseUnits(outputs: readonly { readonly amountBaseUnits: BaseUnitsString }[]): bigint {
  return outputs.reduce((sum, output) => sum + BigInt(output.amountBaseUnits), 0n);
}
