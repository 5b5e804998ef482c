import { REMINDERS_MS } from '../../../machines/index.ts';
import type { MailContent } from '../../mail/index.ts';
import type { RequestFacts } from './facts.ts';
import { MAIL_TEXTS } from './languages/index.ts';
import { inLanguage, listFacts, markTest, paragraph, termsOf } from './terms.ts';
import type { DueTerms } from './texts.ts';

/**
 * The email that requests the payment of one period, and its reminders, which say so in the subject
 * and the first sentence.
 */
export function requestMail(facts: RequestFacts): MailContent {
  const texts = MAIL_TEXTS[facts.language];
  const { request } = texts;
  const { periodNo, maxPeriods, dueAt, payUrl, stopUrl } = facts;
  const terms: DueTerms = { ...termsOf(facts, texts), due: texts.day(dueAt), reminder: reminderOf(facts) };
  const details = listFacts(
    [
      ['merchant', facts.merchantName],
      ['description', facts.description],
      ['reference', facts.reference],
      ['amount', terms.amount],
      ['due', terms.due],
      ['interval', terms.every],
      ['period', request.periodNo(periodNo, maxPeriods)],
    ],
    texts,
  );
  const content: MailContent = {
    to: null,
    language: texts.language,
    look: { ...facts.look, name: terms.merchant },
    subject: request.subject(terms),
    blocks: [
      paragraph(request.opening(terms)),
      details,
      { kind: 'link', text: request.pay(terms), url: inLanguage(payUrl, facts) },
      paragraph(request.priceIsFixedWhenOpened),
      ...(terms.reminder === 'none' ? [] : [paragraph(request.alreadyPaid)]),
    ],
    footer: { text: request.why(terms), link: { text: request.stop, url: inLanguage(stopUrl, facts) } },
  };
  return markTest(content, facts, texts);
}

// Helpers

function reminderOf({ reminder }: RequestFacts): DueTerms['reminder'] {
  if (reminder === 0) return 'none';
  return reminder < REMINDERS_MS.length ? 'one_of_several' : 'last';
}
