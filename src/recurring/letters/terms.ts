import type { Letter } from '../../mail/index.ts';
import type { LetterFacts } from './facts.ts';
import { plainLine } from './plain-line.ts';
import type { FactName, LetterTexts, Terms } from './texts.ts';

/** Merchants may have long names; what a mail is about has to be seen in a list of mails. */
const MAX_NAME_CHARACTERS = 60;

/** What the sentences of every letter are made of. */
export function termsOf({ merchantName, amountFiat, currencyFiat, interval }: LetterFacts, texts: LetterTexts): Terms {
  return {
    merchant: plainLine(merchantName, MAX_NAME_CHARACTERS),
    amount: `${withCents(amountFiat)} ${currencyFiat}`,
    every: texts.every[interval],
  };
}

type FactsBlock = Extract<Letter['blocks'][number], { kind: 'facts' }>;

/** A list of facts; those without a value are left out. */
export function listFacts(rows: readonly (readonly [FactName, string | null])[], { names }: LetterTexts): FactsBlock {
  const facts = rows.flatMap(([name, value]) => {
    return value === null ? [] : [[names[name], plainLine(value)] as const];
  });
  return { kind: 'facts', facts };
}

export function paragraph(text: string): Letter['blocks'][number] {
  return { kind: 'paragraph', text };
}

/** The paragraphs and the subject of a test schedule say that it is one. */
export function markTest(letter: Letter, { isTest }: LetterFacts, texts: LetterTexts): Letter {
  if (!isTest) return letter;
  const [opening, ...others] = letter.blocks;
  const notice = paragraph(texts.testNotice);
  return {
    ...letter,
    subject: texts.testSubject(letter.subject),
    blocks: opening === undefined ? [notice] : [opening, notice, ...others],
  };
}

// Helpers

/** At least the two decimals people expect: 25 is 25.00. */
function withCents(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
