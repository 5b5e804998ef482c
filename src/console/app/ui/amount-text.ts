/** Fiat money is written with cents even where there are none. */
const FIAT_PLACES = 2;
const FIAT: ReadonlySet<string> = new Set(['USD', 'PLN', 'EUR', 'GBP']);

/**
 * An exact decimal for people: `1234567.5` and `EUR` become `1,234,567.50 EUR`. No digit is lost and none is made up but zeros after
 * the point, because the text never becomes a number. What is no decimal is given back as it is.
 */
export function amountText(value: string, currency?: string): string {
  const match = DECIMAL.exec(value);
  if (match === null) return withCurrency(value, currency);
  const [, sign = '', whole = '', fraction = ''] = match;
  const places = currency !== undefined && FIAT.has(currency) ? fraction.padEnd(FIAT_PLACES, '0') : fraction;
  const grouped = whole.replace(THOUSANDS, ',');
  return withCurrency(`${sign}${grouped}${places === '' ? '' : `.${places}`}`, currency);
}

// Helpers

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
/** Each place with a multiple of three digits to its right and at least one to its left. */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;
const NO_BREAK_SPACE = '\u00a0';

function withCurrency(text: string, currency: string | undefined): string {
  return currency === undefined ? text : `${text}${NO_BREAK_SPACE}${currency}`;
}
