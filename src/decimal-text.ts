/**
 * The shortest decimal that reads back as the same number, without an exponent: 0.00000001, where JavaScript
 * writes 1e-8. Throws a `RangeError` for what is no number.
 */
export function plainDecimal(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written as a decimal`);
  const [digits = '', exponentText] = String(value).split('e');
  if (exponentText === undefined) return digits;
  const exponent = Number(exponentText);
  const sign = digits.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = digits.slice(sign.length).split('.');
  // JavaScript changes to an exponent only where the point leaves the digits on one side.
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(exponent, '0')}`;
}

/** A decimal as JSON writes numbers (RFC 8259, section 6): no sign but minus, no leading zeros, no exponent. */
export const JSON_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
