import type { VisitorPayment } from '../../../links/index.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../languages/locale.ts';

/** Leads customers to the payment of a link that they have opened already. */
export function visitorPayment(own: VisitorPayment, locale: Locale): Html {
  const { open, inProgress } = locale.texts.recurring.pay;
  const { sentences } = own.isInProgress ? inProgress : open('');
  return html`<p class="notice">${sentences.join(' ')}</p>${visitorPaymentButton(own, locale)}`;
}

export function visitorPaymentButton({ url, isInProgress }: VisitorPayment, { texts }: Locale): Html {
  const { viewPayment, continuePayment } = texts.recurring.pay;
  return html`<p class="back"><a class="button" id="go" href="${url}">${isInProgress ? viewPayment : continuePayment}</a></p>`;
}
