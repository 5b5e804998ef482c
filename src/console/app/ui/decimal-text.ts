/** A decimal as the API takes it: a comma before the cents is how half of Europe writes them. What is no decimal stays as it is. */
export function decimalText(typed: string): string {
  return typed.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2');
}
