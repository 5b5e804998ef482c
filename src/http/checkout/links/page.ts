import { imagePath } from '../../../images/index.ts';
import { centsText, highestCents, type Offer, type VisitorPayment } from '../../../links/index.ts';
import { type Html, html } from '../html.ts';
import { chooseLanguage } from '../languages/choose-language.ts';
import { LOCALES, type Locale } from '../languages/locales.ts';
import type { ScreenText } from '../languages/screen-text.ts';
import { coinChoices } from '../pages/coin-choices.ts';
import { page } from '../pages/layout.ts';
import { PAGE_ICONS, row, status } from '../pages/parts.ts';

/** From `/l/<code>` and from `/v1/pay` to the root of this service. */
const ROOT = '../';

export interface LinkPageInput {
  readonly offer: Offer;
  /** The payment that the customer has opened already; null when there is none. */
  readonly own: VisitorPayment | null;
  /** What to enter at first where the customer chooses the amount; may be empty. */
  readonly amount: string;
}

/**
 * The page behind the short address of a payment link that can be paid: what is bought, for how
 * much, and the coins to choose from, each with its amount at the rate now. Complete without
 * script.
 */
export function linkPage({ offer, own, amount }: LinkPageInput, locale: Locale): string {
  const below = html`${own === null ? null : visitorPayment(own, locale)}${form(offer, { method: 'post', amount, isSecond: own !== null }, locale)}`;
  return offerPage(offer, below, { locale, offersLanguages: true });
}

export interface PricePageInput {
  readonly offer: Offer;
  /** Parameters of this page, which the chosen coin is added to. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly lang: unknown;
  readonly acceptLanguage: string | undefined;
}

/** The same page for a price without a link: it returns to this address with the chosen coin. */
export function pricePage({ offer, parameters, ...preference }: PricePageInput): string {
  const locale = LOCALES[chooseLanguage(preference)];
  // The links of the language menu would drop the other parameters of the address.
  return offerPage(offer, form(offer, { method: 'get', parameters }, locale), { locale, offersLanguages: false });
}

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

// Helpers

function offerPage(
  offer: Offer,
  below: Html | null,
  { locale, offersLanguages }: { readonly locale: Locale; readonly offersLanguages: boolean },
): string {
  const { title, description, imageId, mode, price, currency, merchantName, brand, coins } = offer;
  const { texts, formats } = locale;
  const { labels, pay, problems } = texts.recurring;
  const amount = price.kind === 'fixed' ? formats.money(centsText(price.cents), currency) : null;
  const requested: ScreenText = amount === null ? { ...pay.due(''), heading: texts.links.ask } : pay.due(amount);
  const isPayable = coins.length > 0;
  const words = isPayable ? requested : problems.shopCannot;
  const icon = isPayable ? PAGE_ICONS.ask : PAGE_ICONS.alert;
  return page({
    locale,
    offersLanguages,
    title: title === null ? merchantName : `${title} · ${merchantName}`,
    root: ROOT,
    refresh: null,
    isTest: mode === 'test',
    storeName: merchantName,
    brand,
    announcement: '',
    main: html`<main id="payment" tabindex="-1" data-pace="still">
<section class="card ${icon.card}">${imageId === null ? null : html`<img class="picture" src="${ROOT}${imagePath(imageId)}" alt="${title ?? merchantName}">`}<div class="status">${status(icon, words)}</div>
${title === null ? null : html`<dl class="rows terms">${row(labels.description, html`<bdi>${title}</bdi>`)}</dl>`}
${description === null ? null : html`<p class="hint"><bdi>${description}</bdi></p>`}${below}</section>
</main>`,
  });
}

type FormOptions =
  | {
      readonly method: 'post';
      readonly amount: string;
      /** Below the button that leads to the payment that is open already. */
      readonly isSecond: boolean;
    }
  | { readonly method: 'get'; readonly parameters: Readonly<Record<string, string>> };

function form(offer: Offer, options: FormOptions, locale: Locale): Html | null {
  const { coins } = offer;
  if (coins.length === 0) return null;
  const { fixed, goToPay } = locale.texts.recurring.pay;
  const isSecond = options.method === 'post' && options.isSecond;
  const fields =
    options.method === 'post'
      ? amountField(offer, options.amount, locale)
      : Object.entries(options.parameters).map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
        );
  return html`<form method="${options.method}">${fields}${coinChoices(coins, offer.currency, locale)}<button class="button${isSecond ? ' second' : ''}" id="pay">${goToPay}</button>
${coins.every(({ amount }) => amount !== null) ? null : html`<p class="hint">${fixed}</p>`}</form>`;
}

/** Less is rejected where a unit is worth at most a dollar. */
const LEAST = '1';

/**
 * Where the payer chooses the amount: whole units or cents, with a dot, as the service reads it.
 */
function amountField({ price, currency }: Offer, entered: string, { texts, formats }: Locale): Html | null {
  if (price.kind === 'fixed') return null;
  const { amount, between, atLeast } = texts.links;
  const min = price.minCents === null ? LEAST : centsText(price.minCents);
  const max = centsText(highestCents(price));
  const least = formats.money(min, currency);
  // A maximum that the shop has not set is mentioned only to customers who exceed it.
  const bounds = price.maxCents === null ? atLeast(least) : between(least, formats.money(max, currency));
  return html`<p class="field"><label for="amount">${amount(currency)}</label>
<input id="amount" name="amount" type="number" inputmode="decimal" step="0.01" min="${min}" max="${max}" required${entered === '' ? null : html` value="${entered}"`} aria-describedby="bounds">
<small id="bounds">${bounds}</small></p>`;
}
