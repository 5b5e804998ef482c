/** Fiat amounts have at least two decimals. */
const FIAT_PLACES = 2;
export const CURRENCIES = ['EUR', 'USD', 'GBP', 'PLN'] as const;
const FIAT: ReadonlySet<string> = new Set(CURRENCIES);

/**
 * Formats an exact decimal: `1234567.5` and `EUR` become `1,234,567.50 EUR`. The text never becomes
 * a number, so no digit is lost, and only trailing zeros are added. Text that is not a decimal is
 * returned unchanged.
 */
export function amountText(value: string, currency?: string): string {
  const match = DECIMAL.exec(value);
  if (match === null) return withCurrency(value, currency);
  const [, sign = '', whole = '', fraction = ''] = match;
  const decimals = currency !== undefined && FIAT.has(currency) ? fraction.padEnd(FIAT_PLACES, '0') : fraction;
  const grouped = whole.replace(THOUSANDS, ',');
  return withCurrency(`${sign}${grouped}${decimals === '' ? '' : `.${decimals}`}`, currency);
}

/** Base units as an exact decimal of coins: `12500000` with 8 decimals is `0.125`. */
export function coinsText(baseUnits: string, decimals: number): string {
  const sign = baseUnits.startsWith('-') ? '-' : '';
  const digits = baseUnits.slice(sign.length).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

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

// Helpers

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
/** Positions with a multiple of three digits to the right and at least one to the left. */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;
const NO_BREAK_SPACE = '\u00a0';

function withCurrency(text: string, currency: string | undefined): string {
  return currency === undefined ? text : `${text}${NO_BREAK_SPACE}${currency}`;
}
