import { type EmailContent, paragraph } from '../../mail/index.ts';
import type { ScheduleEmailInput } from './inputs.ts';
import type { EmailTexts } from './languages/index.ts';
import type { DetailName, Terms } from './texts.ts';

/** Keeps long merchant names from hiding the rest of the subject in a list of emails. */
const MAX_NAME_CHARACTERS = 60;

/** The parts of the sentences of every email. */
export function termsOf(
  { merchantName, amountFiat, currencyFiat, interval }: ScheduleEmailInput,
  texts: EmailTexts,
): Terms {
  return {
    merchant: plainLine(merchantName, MAX_NAME_CHARACTERS),
    amount: `${withCents(amountFiat)} ${currencyFiat}`,
    every: texts.every[interval],
  };
}

type DetailsBlock = Extract<EmailContent['blocks'][number], { kind: 'details' }>;

/** A list of names and values; entries without a value are omitted. */
export function listDetails(
  rows: readonly (readonly [DetailName, string | null])[],
  { names }: EmailTexts,
): DetailsBlock {
  const details = rows.flatMap(([name, value]) => {
    return value === null ? [] : [[names[name], plainLine(value)] as const];
  });
  return { kind: 'details', details };
}

/**
 * The address of a page in the language of the email. English is the default and no choice of the
 * merchant: the page then has the language of the customer's browser.
 */
export function inLanguage(url: string, { language }: ScheduleEmailInput): string {
  return language === 'en' ? url : `${url}?lang=${language}`;
}

/** Marks the email of a test schedule as a test, in the subject and in a paragraph. */
export function markTest(content: EmailContent, { isTest }: ScheduleEmailInput, texts: EmailTexts): EmailContent {
  if (!isTest) return content;
  const [opening, ...others] = content.blocks;
  const notice = paragraph(texts.testNotice);
  return {
    ...content,
    subject: texts.testSubject(content.subject),
    blocks: opening === undefined ? [notice] : [opening, notice, ...others],
  };
}

// Helpers

/** At least two decimals: 25 becomes 25.00. */
function withCents(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/**
 * Text from outside as a single line that is safe inside our own sentences: line breaks, tabs and
 * other control characters become spaces; characters that change the text direction are removed,
 * since they would affect our own words too (Unicode Standard Annex 9). Longer texts are cut to
 * `maxCharacters`.
 */
function plainLine(text: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  const line = text.replace(TURNING, '').replace(BLANKS, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= maxCharacters) return line;
  return `${characters
    .slice(0, maxCharacters - 1)
    .join('')
    .trimEnd()}…`;
}

/**
 * Embeddings, overrides and isolates. Direction marks, which legitimate names may contain, affect
 * no other text.
 */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const BLANKS = /[\s\p{Cc}]+/gu;
