import { CRYPTO_SYMBOLS, FIAT_CURRENCIES, MODES } from '../../../machines/index.ts';
import { type Command, defineCommand } from '../command.ts';
import {
  asOneOf,
  asText,
  asWholeNumber,
  flag,
  json,
  merchant,
  optional,
  required,
  type ValuesOfAll,
} from '../options.ts';
import { asEndOfDay } from '../plan/readers.ts';

/** More payments than any link receives. */
const MAX_USES = 1_000_000_000;

const mode = required('MODE', 'live or test.', asOneOf(MODES));

const OPTIONS = {
  create: {
    merchant,
    mode,
    title: required('TEXT', 'What the payment is for; shown to customers.', asText),
    description: optional('TEXT', 'More details; shown to customers.', asText, null),
    slug: optional('SLUG', 'Its name in the URL; random by default.', asText, null),
    image: optional('FILE', 'A PNG, JPEG or WebP of at most 256 KB; shown to customers.', asText, null),
    amount: optional('AMOUNT', 'The price, such as 24.99.', asText, null),
    min: optional('AMOUNT', 'Without --amount: the minimum.', asText, null),
    max: optional('AMOUNT', 'Without --amount: the maximum.', asText, null),
    currency: optional('CODE', `${FIAT_CURRENCIES.join(', ')}; default USD.`, asOneOf(FIAT_CURRENCIES), 'USD'),
    cryptos: optional('SYMBOLS', 'Comma-separated, such as BTC,LTC; by default every coin you accept.', asCoins, []),
    until: optional('DATE', 'Its last day (UTC), such as 2027-01-31; by default it stays open.', asEndOfDay, null),
    once: flag('Allows one payment.'),
    uses: optional('N', 'How many payments it allows; unlimited by default.', asWholeNumber(1, MAX_USES), null),
    success: optional('URL', 'Where the payment page links to after the payment.', asText, null),
    json,
  },
  list: { merchant, json },
  close: { merchant, mode, slug: required('SLUG', 'The slug, from "link list".', asText), json },
};

export type LinkValues = ValuesOfAll<typeof OPTIONS>;

export const LINK_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'link create',
    summary: 'Creates a payment link: with --amount at a fixed price, otherwise the customer chooses the amount.',
    options: OPTIONS.create,
    run: async (values) => (await import('./run.ts')).linkCreate(values),
  }),
  defineCommand({
    name: 'link list',
    summary: 'Lists the payment links of a merchant, how often each was paid, and which were paid too often.',
    options: OPTIONS.list,
    run: async (values) => (await import('./run.ts')).linkList(values),
  }),
  defineCommand({
    name: 'link close',
    summary: 'Closes a payment link permanently. Open payments can still be paid.',
    options: OPTIONS.close,
    run: async (values) => (await import('./run.ts')).linkClose(values),
  }),
];

// Helpers

function asCoins(text: string, reject: (problem: string) => never): readonly string[] {
  const symbols = text.split(',').map((part) => part.trim());
  const unknown = symbols.find((symbol) => !CRYPTO_SYMBOLS.some((known) => known === symbol));
  return unknown === undefined ? symbols : reject(`must list coins such as BTC,LTC; "${unknown}" is not one`);
}
