import { REMINDERS_MS } from '../../../machines/index.ts';
import { type EmailContent, paragraph } from '../../mail/index.ts';
import type { RequestEmailInput } from './inputs.ts';
import { MAIL_TEXTS } from './languages/index.ts';
import { inLanguage, listDetails, markTest, termsOf } from './terms.ts';
import type { DueTerms } from './texts.ts';

/**
 * The email that requests the payment of one period, and its reminders, which say so in the subject
 * and the first sentence.
 */
export function requestEmail(input: RequestEmailInput): EmailContent {
  const texts = MAIL_TEXTS[input.language];
  const { request } = texts;
  const { periodNo, maxPeriods, dueAt, payUrl, stopUrl } = input;
  const terms: DueTerms = { ...termsOf(input, texts), due: texts.day(dueAt), reminder: reminderOf(input) };
  const details = listDetails(
    [
      ['merchant', input.merchantName],
      ['description', input.description],
      ['reference', input.reference],
      ['amount', terms.amount],
      ['due', terms.due],
      ['interval', terms.every],
      ['period', request.periodNo(periodNo, maxPeriods)],
    ],
    texts,
  );
  const content: EmailContent = {
    to: null,
    language: texts.language,
    look: { ...input.look, name: terms.merchant },
    subject: request.subject(terms),
    blocks: [
      paragraph(request.opening(terms)),
      details,
      { kind: 'link', text: request.pay(terms), url: inLanguage(payUrl, input) },
      paragraph(request.priceIsFixedWhenOpened),
      ...(terms.reminder === 'none' ? [] : [paragraph(request.alreadyPaid)]),
    ],
    footer: { text: request.why(terms), link: { text: request.stop, url: inLanguage(stopUrl, input) } },
  };
  return markTest(content, input, texts);
}

// Helpers

function reminderOf({ reminder }: RequestEmailInput): DueTerms['reminder'] {
  if (reminder === 0) return 'none';
  return reminder < REMINDERS_MS.length ? 'one_of_several' : 'last';
}
