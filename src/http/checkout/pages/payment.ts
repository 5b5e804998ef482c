import type { UnixMs } from '../../../../machines/index.ts';
import type { CustomerView } from '../../../payments/index.ts';
import { assertNever } from '../../../platform/errors.ts';
import { type Html, html, httpUrlOf, markupOf } from '../html.ts';
import { confirmationsOf, hasOpenSurplus, progressWords, screenTextOf } from '../labels.ts';
import type { Locale } from '../languages/locales.ts';
import type { ScreenText } from '../languages/screen-text.ts';
import { etagOf, isBlind, remainingMs, type Screen, screenOf, UPDATE_MODES, type UpdateMode } from '../screen.ts';
import { contactPart } from './contact-shop.ts';
import { details, lineItems } from './details.ts';
import { page } from './layout.ts';
import { ICONS } from './parts.ts';
import { payPanel } from './pay-panel.ts';
import { receiptPart } from './receipt.ts';
import { simulateForm } from './simulate-form.ts';

/** The changing part of the page, with what the script needs to know about it. */
export interface Update {
  /** The same in every language. */
  readonly version: string;
  readonly screen: Screen;
  readonly pace: UpdateMode;
  readonly title: string;
  /** For screen readers, when it differs from the previous announcement. */
  readonly announcement: string;
  readonly html: string;
}

/** The current content of the changing part. */
export function updateOf(transaction: CustomerView, now: UnixMs, locale: Locale): Update {
  const screen = screenOf(transaction, now);
  const words = screenTextOf(transaction, { screen, windowIsOver: remainingMs(transaction, now) <= 0 }, locale);
  const { count, what } = progressWords(transaction, locale);
  const said = [words.heading, ...words.sentences, ...(screen === 'seen' ? [`${count} ${what}`] : [])];
  return {
    version: etagOf(transaction, now),
    screen,
    pace: updateModeOf(transaction, screen),
    title: `${words.heading} · ${transaction.storeName}`,
    announcement: said.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`)).join(' '),
    html: markupOf(fragment({ transaction, screen, now, locale })),
  };
}

/**
 * The whole page. It says the same with and without script; the script only keeps it up to date.
 */
export function paymentPage(transaction: CustomerView, now: UnixMs, locale: Locale): string {
  const screen = screenOf(transaction, now);
  const update = updateOf(transaction, now, locale);
  const seconds = REFRESH_SECONDS[update.pace];
  const main = html`<main id="payment" tabindex="-1" data-version="${update.version}" data-screen="${screen}" data-pace="${update.pace}">
${fragment({ transaction, screen, now, locale })}
</main>`;
  return page({
    locale,
    offersLanguages: true,
    title: update.title,
    root: '../',
    refresh: seconds === null ? null : { seconds, when: 'without script' },
    isTest: transaction.mode === 'test',
    storeName: transaction.storeName,
    brand: transaction.brand,
    main,
    announcement: update.announcement,
  });
}

// Helpers

/** Seconds between reloads of a page without script; null for never. */
const REFRESH_SECONDS: { readonly [P in UpdateMode]: number | null } = { live: 15, slow: 60, still: null };

const SCREEN_SIGNS: { readonly [S in Screen]: Html } = {
  waiting: ICONS.clock,
  partial: ICONS.half,
  checking: ICONS.look,
  seen: ICONS.progress,
  completed: ICONS.tick,
  lost: ICONS.alert,
  expired: ICONS.cross,
  late: ICONS.alert,
  reviewing: ICONS.look,
  failed: ICONS.cross,
};

/** An excess that the shop may still settle keeps a receipt from being final. */
function updateModeOf(transaction: CustomerView, screen: Screen): UpdateMode {
  return screen === 'completed' && hasOpenSurplus(transaction) ? 'slow' : UPDATE_MODES[screen];
}

interface View {
  readonly transaction: CustomerView;
  readonly screen: Screen;
  readonly now: UnixMs;
  readonly locale: Locale;
}

function fragment(view: View): Html {
  const { transaction, screen, now, locale } = view;
  const windowIsOver = remainingMs(transaction, now) <= 0;
  return html`<section class="card ${screen}">
${status(screen, screenTextOf(transaction, { screen, windowIsOver }, locale))}
${contactPart(transaction, screen, locale)}
${lineItems(transaction, locale)}
${bodyOf(view)}
</section>
${receiptPart(transaction, screen, locale)}
${links(view)}
${simulateForm(transaction, screen, locale)}`;
}

function bodyOf(view: View): Html {
  const { transaction, screen, now } = view;
  switch (screen) {
    case 'waiting':
    case 'partial':
    case 'checking':
      return html`${remainingMs(transaction, now) > 0 ? payable(view) : null}${foldedDetails(view)}`;
    case 'seen':
      return html`${progress(view)}${blindNotice(view)}${openDetails(view)}`;
    case 'completed':
    case 'lost':
    case 'expired':
    case 'late':
    case 'reviewing':
    case 'failed':
      return openDetails(view);
    default:
      return assertNever(screen, 'screen');
  }
}

function status(screen: Screen, { heading, sentences }: ScreenText): Html {
  return html`<div class="status">
  ${SCREEN_SIGNS[screen]}
  <h1>${heading}</h1>
  ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
</div>`;
}

/**
 * The payment panel. While the server cannot be reached, the script puts the template in place of
 * panel and status at the end of the window, so that an offline page stops asking for money.
 */
function payable({ transaction, now, locale }: View): Html {
  const words = screenTextOf(transaction, { screen: 'checking', windowIsOver: true }, locale);
  return html`<div id="pay-panel">${payPanel(transaction, now, locale)}</div>
<template id="window-over">${status('checking', words)}</template>`;
}

function blindNotice({ transaction, now, locale }: View): Html | null {
  return isBlind(transaction, now) ? html`<p class="notice">${locale.texts.screens.blind}</p>` : null;
}

function foldedDetails({ transaction, locale }: View): Html {
  return html`<details id="details"><summary id="details-summary">${locale.texts.labels.heading}</summary>${details(transaction, locale)}</details>`;
}

function openDetails({ transaction, locale }: View): Html {
  return html`<div class="details">${details(transaction, locale)}</div>`;
}

function progress({ transaction, locale }: View): Html {
  const { count, what } = progressWords(transaction, locale);
  return html`<div class="progress">
  <p id="progress-label"><b>${count}</b> ${what}</p>
  <progress aria-labelledby="progress-label" value="${confirmationsOf(transaction)}" max="${transaction.confirmationsRequired}">${count}</progress>
</div>`;
}

/**
 * Links back to the shop or to a new quote, for web URLs only and never followed automatically; on
 * a receipt also a print button.
 */
function links({ transaction, screen, locale }: View): Html {
  const { successUrl, cancelUrl, canQuoteAnew, amountPaid } = transaction;
  const hasPaid = screen === 'completed' || screen === 'seen';
  const url = httpUrlOf(hasPaid ? (successUrl ?? cancelUrl) : cancelUrl);
  const { otherCoin, backToShop, newQuote, print } = locale.texts;
  const quotes = canQuoteAnew && url === cancelUrl;
  const isNewQuote = quotes && screen === 'expired';
  // After coins were sent, a page that quotes anew would invite the customer to pay twice.
  const isShown = !quotes || (amountPaid === '0' && (isNewQuote || isStillOpen(screen)));
  const look = screen === 'completed' || isNewQuote ? 'button' : 'link';
  const back =
    url === null || !isShown
      ? null
      : html`<p class="back"><a class="${look}" id="back" href="${url}" rel="noopener noreferrer">${isNewQuote ? newQuote : quotes ? otherCoin : backToShop}</a></p>`;
  // Hidden until the script runs, like the copy buttons.
  const printing =
    screen === 'completed'
      ? html`<p class="print"><button type="button" class="link" id="print">${print}</button></p>`
      : null;
  return html`${back}${printing}`;
}

function isStillOpen(screen: Screen): boolean {
  return screen === 'waiting' || screen === 'partial' || screen === 'checking';
}
