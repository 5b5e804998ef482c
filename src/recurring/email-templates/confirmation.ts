import { type EmailContent, paragraph } from '../../mail/index.ts';
import type { ConfirmationEmailInput } from './inputs.ts';
import { MAIL_TEXTS } from './languages/index.ts';
import { inLanguage, listDetails, markTest, termsOf } from './terms.ts';

/**
 * The email that asks the customer to agree to recurring payment requests: from whom, for what, how
 * much, how often and how long, and that doing nothing means no. It has no name in the greeting,
 * because only the address is known.
 */
export function confirmationEmail(input: ConfirmationEmailInput): EmailContent {
  const texts = MAIL_TEXTS[input.language];
  const { confirmation } = texts;
  const { startAt, maxPeriods, stopUrl } = input;
  const terms = termsOf(input, texts);
  const agreed = listDetails(
    [
      ['merchant', input.merchantName],
      ['description', input.description],
      ['reference', input.reference],
      ['amount', terms.amount],
      ['interval', terms.every],
      ['firstRequest', startAt === null ? confirmation.fromConfirmation : texts.day(startAt)],
      ['count', confirmation.count(maxPeriods, terms)],
    ],
    texts,
  );
  const content: EmailContent = {
    to: null,
    language: texts.language,
    look: { ...input.look, name: terms.merchant },
    subject: confirmation.subject(terms),
    blocks: [
      paragraph(confirmation.opening(terms)),
      agreed,
      paragraph(confirmation.nothingMovesByItself),
      { kind: 'link', text: confirmation.confirm, url: inLanguage(input.confirmUrl, input) },
      paragraph(confirmation.silenceIsNo(texts.moment(input.expiresAt))),
    ],
    footer: { text: confirmation.why(terms), link: { text: confirmation.decline, url: inLanguage(stopUrl, input) } },
  };
  return markTest(content, input, texts);
}
