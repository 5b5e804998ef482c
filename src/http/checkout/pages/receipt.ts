import type { UnixMs } from '../../../../machines/index.ts';
import type { CustomerView } from '../../../payments/index.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../languages/locales.ts';
import { type Screen, screenOf } from '../screen.ts';
import { page } from './layout.ts';

/** Whether the customer may now enter or correct an address for the receipt. */
export function takesReceiptAddress(transaction: CustomerView, now: UnixMs): boolean {
  return transaction.receipt !== null && OFFERED_ON.includes(screenOf(transaction, now));
}

/**
 * Where the receipt goes, or the field for it; null where none is offered. Without script a page
 * that waits reloads, which would empty the field: there a link leads to a page that does not.
 */
export function receiptPart(transaction: CustomerView, screen: Screen, locale: Locale): Html | null {
  const { id, receipt } = transaction;
  if (receipt === null || !OFFERED_ON.includes(screen)) return null;
  const { texts, language } = locale;
  const path = `${id}/receipt?lang=${language}`;
  if (receipt.address !== null) {
    return html`<section class="receipt"><p>${texts.receipt.goesTo(receipt.address)}</p>${testNote(transaction, locale)}
<a class="link" id="change-receipt" href="${path}">${texts.receipt.change}</a></section>`;
  }
  return html`<section class="receipt"><a class="link unscripted" id="to-receipt" href="${path}">${texts.receipt.heading}</a>
<form class="scripted" method="post" action="${path}">${field(texts.receipt.heading, { wrong: null }, locale)}</form></section>`;
}

export interface ReceiptInput {
  /** The invalid email address that was sent; null for none. */
  readonly wrong: string | null;
}

/** A page with the field alone. Complete without script. */
export function receiptPage(transaction: CustomerView, input: ReceiptInput, locale: Locale): string {
  const { id, storeName, brand, mode } = transaction;
  const { texts, language } = locale;
  const { heading, address } = texts.receipt;
  return page({
    locale,
    offersLanguages: true,
    title: `${heading} · ${storeName}`,
    root: '../../',
    refresh: null,
    isTest: mode === 'test',
    storeName,
    brand,
    announcement: '',
    main: html`<main id="payment" tabindex="-1" data-pace="still">
<section class="card"><div class="status"><h1>${heading}</h1>${testNote(transaction, locale)}</div>
<form class="receipt" method="post" action="receipt?lang=${language}">${field(address, input, locale)}</form></section>
<p class="back"><a class="link" id="back" href="../${id}?lang=${language}">${texts.problems.backToPayment}</a></p>
</main>`,
  });
}

// Helpers

/** The payment is open: a receipt will be sent, and has not been. */
const OFFERED_ON: readonly Screen[] = ['waiting', 'partial', 'checking', 'seen'];

function field(label: string, { wrong }: ReceiptInput, { texts }: Locale): Html {
  const { button, note, wrong: problem } = texts.receipt;
  const about = wrong === null ? note : problem;
  return html`<div class="field"><label for="receipt-email">${label}</label>
<div class="line"><input id="receipt-email" name="email" type="email" autocomplete="email" maxlength="254" required aria-describedby="receipt-note"${wrong === null ? null : html` value="${wrong}" aria-invalid="true" autofocus`}><button id="send-receipt">${button}</button></div>
<small id="receipt-note"${wrong === null ? null : html` class="wrong"`}>${about}</small></div>`;
}

/** A receipt is sent for live payments only. */
function testNote({ mode }: CustomerView, { texts }: Locale): Html | null {
  return mode === 'test' ? html`<p>${texts.receipt.isTest}</p>` : null;
}
