import type { OwnPayment } from '../../../links/index.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../languages/locale.ts';

/** Leads customers to the payment of a link that they have opened already. */
export function ownPayment(own: OwnPayment, locale: Locale): Html {
  const { open, inProgress } = locale.texts.recurring.pay;
  const { sentences } = own.isInProgress ? inProgress : open('');
  return html`<p class="notice">${sentences.join(' ')}</p>${ownPaymentButton(own, locale)}`;
}

export function ownPaymentButton({ url, isInProgress }: OwnPayment, { texts }: Locale): Html {
  const { look, goOn } = texts.recurring.pay;
  return html`<p class="back"><a class="button" id="go" href="${url}">${isInProgress ? look : goOn}</a></p>`;
}
