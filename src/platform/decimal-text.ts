/**
 * Returns the shortest decimal that parses back to the same number, without an exponent:
 * 0.00000001, where JavaScript writes 1e-8. Throws `RangeError` for NaN and infinities.
 */
export function plainDecimal(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written as a decimal`);
  const text = String(value);
  if (!text.includes('e')) return text;
  const [digits = '', exponentText] = text.split('e');
  const exponent = Number(exponentText);
  const sign = digits.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = digits.slice(sign.length).split('.');
  // JavaScript uses an exponent only when the decimal point lies outside the digits.
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(exponent, '0')}`;
}

/** A JSON number (RFC 8259, section 6) without exponent: no plus sign, no leading zeros. */
export const JSON_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
