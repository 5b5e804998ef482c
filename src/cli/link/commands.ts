import { CRYPTO_SYMBOLS, FIAT_CURRENCIES, MODES } from '../../../machines/index.ts';
import { type Command, defineCommand } from '../command.ts';
import { asOneOf, asText, asWholeNumber, flag, optional, required, type ValuesOfAll } from '../options.ts';
import { asEndOfDay } from '../plan/readers.ts';

/** More payments than any link receives. */
const MAX_USES = 1_000_000_000;

const json = flag('Prints JSON for programs instead of text for people.');
const merchant = required('NAME', 'The merchant, as in the provisioning file.', asText);
const mode = required('MODE', 'live or test.', asOneOf(MODES));

const OPTIONS = {
  create: {
    merchant,
    mode,
    title: required('TEXT', 'What is paid for; customers see it.', asText),
    description: optional('TEXT', 'More about it; customers see it.', asText, null),
    slug: optional('SLUG', 'Its name in the address; by default one that cannot be guessed.', asText, null),
    image: optional('FILE', 'A PNG, JPEG or WebP of at most 256 KB; customers see it.', asText, null),
    amount: optional('AMOUNT', 'The price, like 24.99.', asText, null),
    min: optional('AMOUNT', 'Without --amount: the least that can be paid.', asText, null),
    max: optional('AMOUNT', 'Without --amount: the most that can be paid.', asText, null),
    currency: optional('CODE', `${FIAT_CURRENCIES.join(', ')}; default USD.`, asOneOf(FIAT_CURRENCIES), 'USD'),
    cryptos: optional('SYMBOLS', 'Comma-separated, like BTC,LTC; by default every coin you take.', asCoins, []),
    until: optional('DATE', 'Its last day (UTC), like 2027-01-31; by default it stays open.', asEndOfDay, null),
    once: flag('It can be paid once.'),
    uses: optional('N', 'How often it can be paid; by default without bound.', asWholeNumber(1, MAX_USES), null),
    success: optional('URL', 'Where the payment page links to when it is paid.', asText, null),
    json,
  },
  list: { merchant, json },
  close: { merchant, mode, slug: required('SLUG', 'As "link list" shows it.', asText), json },
};

export type LinkValues = ValuesOfAll<typeof OPTIONS>;

/** The commands about payment links. */
export const LINK_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'link create',
    summary: 'Makes a payment link: a fixed price with --amount, else the customer chooses the amount.',
    options: OPTIONS.create,
    run: async (values) => (await import('./change.ts')).linkCreate(values),
  }),
  defineCommand({
    name: 'link list',
    summary: 'The payment links of a merchant, how often each was paid, and which were paid too often.',
    options: OPTIONS.list,
    run: async (values) => (await import('./list.ts')).linkList(values),
  }),
  defineCommand({
    name: 'link close',
    summary: 'Closes a payment link for good. Payments that are open can still be paid.',
    options: OPTIONS.close,
    run: async (values) => (await import('./change.ts')).linkClose(values),
  }),
];

// Helpers

function asCoins(text: string, refuse: (problem: string) => never): readonly string[] {
  const symbols = text.split(',').map((part) => part.trim());
  const unknown = symbols.find((symbol) => !CRYPTO_SYMBOLS.some((known) => known === symbol));
  return unknown === undefined ? symbols : refuse(`must name coins like BTC,LTC; there is no "${unknown}"`);
}
