/**
 * Normalizes a decimal for the API: replaces a decimal comma, as much of Europe writes it, with a
 * point. Other text stays unchanged.
 */
export function decimalText(typed: string): string {
  return typed.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2');
}
