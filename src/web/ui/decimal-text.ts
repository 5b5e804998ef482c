/**
 * The error under a field with an amount that the API would not accept; null for none or no text.
 */
export function amountError(typed: string): string | null {
  const text = decimalText(typed);
  return text === '' || /^\d+(\.\d{1,2})?$/.test(text) ? null : 'Enter an amount like 1299.50';
}

/**
 * Normalizes a decimal for the API: replaces a decimal comma, as much of Europe writes it, with a
 * point. Other text stays unchanged.
 */
export function decimalText(typed: string): string {
  return typed.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2');
}
