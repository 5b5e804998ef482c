import type { CryptoSymbol, FiatCurrency, UnixMs } from '../../../machines/index.ts';
import type { Language } from './language.ts';

/** How one language writes numbers and moments (ECMA-402). Decimals go in as text and never become floating point. */
export interface Formats {
  /** "12,345.67 EUR": grouped, at least two decimals. */
  money(amount: string, currency: FiatCurrency): string;
  /** A number that is only read, such as a rate: grouped, every decimal kept. */
  decimal(amount: string): string;
  /** An amount of coins, as a wallet takes it. */
  coins(amount: string): string;
  /** "0.5 LTC" */
  coinsOf(amount: string, crypto: CryptoSymbol): string;
  count(value: number): string;
  /** "21 Nov 2026, 10:00 UTC": always in UTC and saying so, because the server cannot know where its reader is. */
  moment(at: UnixMs): string;
  /** "1 December 2026": a due date, which is a day in UTC. */
  day(at: UnixMs): string;
  /** Picks the form that a count takes in this language. */
  plural(count: number, forms: PluralForms): string;
}

/** The forms of a word by the categories of CLDR; a language has some of them, always `other`. */
export type PluralForms = { readonly other: string } & { readonly [C in Intl.LDMLPluralRule]?: string };

export function createFormats(language: Language): Formats {
  const tag = TAGS[language];
  const moneyFormat = new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: MAX_DECIMALS });
  const decimalFormat = new Intl.NumberFormat(tag, { maximumFractionDigits: MAX_DECIMALS });
  const momentFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const dayFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
  const pluralRules = new Intl.PluralRules(tag);
  const groupsWithDot = decimalFormat.formatToParts(1_234_567).some(({ value }) => value === '.');

  const coins = (amount: string) => (groupsWithDot && LOOKS_GROUPED.test(amount) ? `${amount}0` : amount);
  return {
    money: (amount, currency) => `${write(moneyFormat, amount)} ${currency}`,
    decimal: (amount) => write(decimalFormat, amount),
    coins,
    coinsOf: (amount, crypto) => `${coins(amount)} ${crypto}`,
    count: (value) => decimalFormat.format(value),
    moment: (at) => `${momentFormat.format(at)} UTC`,
    day: (at) => withOrdinal(dayFormat.format(at), language),
    plural: (count, forms) => forms[pluralRules.select(count)] ?? forms.other,
  };
}

// Helpers

/** English as in Britain: the day before the month, and 24 hours, as everywhere else on the page. */
const TAGS: { readonly [L in Language]: string } = { en: 'en-GB', pl: 'pl', de: 'de', fr: 'fr', es: 'es' };

/** As many as Intl keeps everywhere; prices and rates have fewer. */
const MAX_DECIMALS = 20;

/**
 * Coins are written with a point and without groups in every language: this is what gets copied or typed into a wallet, and a
 * comma that a wallet drops would send a multiple. Where a point groups thousands, "27.027" would be read as
 * twenty-seven thousand; one more zero makes that impossible and changes nothing.
 */
const LOOKS_GROUPED = /^[1-9]\d{0,2}\.\d{3}$/;

/** The first of a month is the one day that French does not merely count, which Intl does not know. */
function withOrdinal(day: string, language: Language): string {
  return language === 'fr' ? day.replace(/^1(?=\s)/, '1er') : day;
}

const DECIMAL = /^\d+(?:\.\d+)?$/;

/** Since ECMA-402 10 a formatter takes decimals as text and keeps every digit. Text that is no decimal stays as it is. */
function write(format: Intl.NumberFormat, amount: string): string {
  return DECIMAL.test(amount) ? format.format(amount as Intl.StringNumericLiteral) : amount;
}
