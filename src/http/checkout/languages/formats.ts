import type { CryptoSymbol, FiatCurrency, UnixMs } from '../../../../machines/index.ts';
import { formatCoins } from '../../../../machines/index.ts';
import type { Language } from './choose-language.ts';

/**
 * Number and date formats of one language (ECMA-402). Decimals are passed as text and
 * never become floating point.
 */
export interface Formats {
  /** "12,345.67 EUR": grouped, at least two decimals. */
  money(amount: string, currency: FiatCurrency): string;
  /** An exchange rate, for reading only: grouped, at least two decimals. */
  rate(amount: string): string;
  /** A price in USD, for reading only: like `rate`, but with two decimals from 1 USD upwards. */
  coinPrice(amount: string): string;
  /** An amount of coins with every decimal, in the form that a wallet accepts. */
  exactCoins(amount: string): string;
  /** The same with few decimals, for reading and typing. */
  coins(amount: string, rounding: Rounding): string;
  /** "0.5 LTC" */
  coinsOf(amount: string, crypto: CryptoSymbol, rounding: Rounding): string;
  count(value: number): string;
  /**
   * "21 Nov 2026, 10:00 UTC": always in UTC, and labelled so, because the server does not
   * know the reader's time zone.
   */
  timestamp(at: UnixMs): string;
  /** "1 December 2026": a due date, which is a day in UTC. */
  day(at: UnixMs): string;
  plural(count: number, forms: PluralForms): string;
  /** Between a label and its text: a colon, with the spaces of the language. */
  readonly colon: string;
}

/** Forms of a word by CLDR plural category; each language has some of them, always `other`. */
export type PluralForms = { readonly other: string } & { readonly [C in Intl.LDMLPluralRule]?: string };

export function createFormats(language: Language): Formats {
  const tag = TAGS[language];
  const moneyFormat = new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: MAX_DECIMALS });
  const centsFormat = new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const decimalFormat = new Intl.NumberFormat(tag, { maximumFractionDigits: MAX_DECIMALS });
  const timestampFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const dayFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
  const pluralRules = new Intl.PluralRules(tag);
  const groupsWithDot = decimalFormat.formatToParts(1_234_567).some(({ value }) => value === '.');

  const exactCoins = (amount: string) => (groupsWithDot && LOOKS_GROUPED.test(amount) ? `${amount}0` : amount);
  const coins = (amount: string, rounding: Rounding) => exactCoins(shortAmount(amount, rounding));
  return {
    money: (amount, currency) => `${write(moneyFormat, amount)} ${currency}`,
    rate: (amount) => write(moneyFormat, amount),
    coinPrice: (amount) => write(AT_LEAST_ONE.test(amount) ? centsFormat : moneyFormat, amount),
    exactCoins,
    coins,
    coinsOf: (amount, crypto, rounding) => `${coins(amount, rounding)} ${crypto}`,
    count: (value) => decimalFormat.format(value),
    timestamp: (at) => `${timestampFormat.format(at)} UTC`,
    day: (at) => withOrdinal(dayFormat.format(at), language),
    plural: (count, forms) => forms[pluralRules.select(count)] ?? forms.other,
    colon: language === 'fr' ? '\u00a0: ' : ': ',
  };
}

/** `up` for requested amounts, `down` for received ones. */
export type Rounding = 'up' | 'down';

/** As many as fit on a small screen; the remainder of a payment in ether can have 18. */
const MAX_SHORT_DECIMALS = 8;
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
  const decimals = leadingZeros + MAX_SHORT_DECIMALS;
  if (fraction.length <= decimals) return amount;
  const isRounded = rounding === 'up' && /[1-9]/.test(fraction.slice(decimals));
  return formatCoins(BigInt(whole + fraction.slice(0, decimals)) + (isRounded ? 1n : 0n), decimals);
}

/** Whether an excess can come from a customer who paid the short form of an amount. */
export function isFromRounding(excess: string): boolean {
  return LESS_THAN_A_DECIMAL.test(excess);
}

// Helpers

/**
 * British English: the day before the month, and a 24-hour clock, as everywhere else on the page.
 */
const TAGS: { readonly [L in Language]: string } = {
  en: 'en-GB',
  pl: 'pl',
  de: 'de',
  fr: 'fr',
  es: 'es',
  it: 'it',
  pt: 'pt',
};

/** As many as every Intl implementation keeps; prices and rates have fewer. */
const MAX_DECIMALS = 20;

/**
 * Coin amounts have a decimal point and no grouping in every language, because they are copied or
 * typed into a wallet: one that drops a comma would send a multiple. In languages where a point
 * separates thousands, "27.027" would be read as twenty-seven thousand; another trailing zero
 * prevents that without changing the value.
 */
const LOOKS_GROUPED = /^[1-9]\d{0,2}\.\d{3}$/;

/** French uses an ordinal only for the first of a month, which Intl does not know. */
function withOrdinal(day: string, language: Language): string {
  return language === 'fr' ? day.replace(/^1(?=\s)/, '1er') : day;
}

const AT_LEAST_ONE = /^[1-9]/;
const DECIMAL = /^\d+(?:\.\d+)?$/;

/**
 * Since ECMA-402 10, a formatter accepts decimals as text and keeps every digit. Text that is not a
 * decimal is returned unchanged.
 */
function write(format: Intl.NumberFormat, amount: string): string {
  return DECIMAL.test(amount) ? format.format(amount as Intl.StringNumericLiteral) : amount;
}
