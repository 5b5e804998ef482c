import type { LinkRejection, PaymentLink, Shop, VisitorPayment } from '../../../links/index.ts';
import { type Html, html } from '../html.ts';
import { chooseLanguage } from '../languages/choose-language.ts';
import { LOCALES, type Locale } from '../languages/locales.ts';
import type { ScreenText } from '../languages/screen-text.ts';
import { contactBox } from '../pages/contact-shop.ts';
import { page } from '../pages/layout.ts';
import { PAGE_ICONS, type PageIcon, row, status, timestamp } from '../pages/parts.ts';
import { visitorPayment, visitorPaymentButton } from './page.ts';

export interface RejectedLinkInput {
  readonly rejection: LinkRejection;
  readonly link: Pick<PaymentLink, 'title' | 'mode' | 'maxUses' | 'expiresAt'>;
  readonly shop: Shop;
  /** The payment that the customer has opened already; null when there is none. */
  readonly own: VisitorPayment | null;
  /** Whether the address is the same in every language. */
  readonly offersLanguages: boolean;
  readonly lang: unknown;
  readonly acceptLanguage: string | undefined;
}

/** The page of a payment link that opens no payment: why, and what the visitor can do. */
export function rejectedLinkPage(input: RejectedLinkInput): string {
  const { link, shop, rejection } = input;
  const locale = LOCALES[chooseLanguage(input)];
  const { labels } = locale.texts;
  const words = wordsOf(input, locale);
  return page({
    locale,
    offersLanguages: input.offersLanguages,
    title: `${words.heading} · ${shop.merchantName}`,
    root: '../',
    refresh: null,
    isTest: link.mode === 'test',
    storeName: shop.merchantName,
    brand: shop.brand,
    announcement: '',
    main: html`<main id="payment" tabindex="-1" data-pace="still">
<section class="card ${ICONS_OF[rejection].card}"><div class="status">${status(ICONS_OF[rejection], words)}</div>
<dl class="rows terms">
${row(locale.texts.recurring.labels.description, html`<bdi>${link.title}</bdi>`)}
${rejection === 'expired' && link.expiresAt !== null ? row(labels.wasOpenUntil, timestamp(link.expiresAt, locale)) : null}
</dl>
${ownPart(input, locale)}
${contactBox(shop.brand, { subject: link.title, below: null }, locale)}</section>
</main>`,
  });
}

// Helpers

const ICONS_OF: { readonly [R in LinkRejection]: PageIcon } = {
  paid: PAGE_ICONS.done,
  being_paid: PAGE_ICONS.late,
  expired: PAGE_ICONS.over,
  closed: PAGE_ICONS.over,
};

function wordsOf({ rejection, link, own }: RejectedLinkInput, { texts }: Locale): ScreenText {
  const { paid, usedUp, beingPaid, unaffected } = texts.rejectedLink;
  switch (rejection) {
    case 'paid':
      return link.maxUses === 1 ? paid : usedUp;
    case 'being_paid':
      return own?.isInProgress === true && !own.isLate ? texts.recurring.pay.inProgress : beingPaid;
    case 'expired':
    case 'closed': {
      const { heading, sentences } = texts.rejectedLink[rejection];
      return { heading, sentences: own === null ? [...sentences, unaffected] : sentences };
    }
  }
}

/** Nothing leads to a payment that would be one too many. */
function ownPart({ rejection, own }: RejectedLinkInput, locale: Locale): Html | null {
  if (own === null) return null;
  if (rejection === 'expired' || rejection === 'closed') return visitorPayment(own, locale);
  return own.isInProgress ? visitorPaymentButton(own, locale) : null;
}
