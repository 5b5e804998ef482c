import type { Brand } from '../../../merchants/index.ts';
import type { CustomerView } from '../../../payments/index.ts';
import { type Html, html } from '../html.ts';
import { hasOpenSurplus, networkName } from '../labels.ts';
import type { Locale } from '../languages/locales.ts';
import type { Screen } from '../screen.ts';
import { contactLink, copyButton } from './parts.ts';

/**
 * How to reach the shop, what to quote, and how to get a refund, where only the shop can decide
 * about a payment; null on other screens.
 */
export function contactPart(transaction: CustomerView, screen: Screen, locale: Locale): Html | null {
  if (!isUpToShop(transaction, screen)) return null;
  const { id, crypto, brand } = transaction;
  const { contact, labels } = locale.texts;
  const copyId = copyButton({ id: 'copy-payment-number', text: id, what: 'paymentNumber' }, locale);
  const refund = hasMoney(transaction, screen)
    ? html`<p class="hint">${contact.refund(crypto, networkName(transaction, locale))}</p>`
    : null;
  const below = html`<p>${contact.quote}</p>
<p class="id-line"><span class="id">${id}</span>${copyId}</p>${refund}`;
  return contactBox(brand, { subject: `${labels.paymentNumber} ${id}`, below }, locale);
}

interface ContactOptions {
  /** Subject of the email that the contact link opens. */
  readonly subject: string;
  readonly below: Html | null;
}

/** How to reach the shop: its support contact, or where to look for one. */
export function contactBox({ supportContact }: Brand, { subject, below }: ContactOptions, { texts }: Locale): Html {
  const { heading, unknown } = texts.contact;
  const how = supportContact === null ? html`${unknown}` : contactLink(supportContact, { id: 'contact', subject });
  return html`<section class="contact"><h2>${heading}</h2>
<p>${how}</p>${below}</section>`;
}

// Helpers

function isUpToShop(transaction: CustomerView, screen: Screen): boolean {
  const { amountPaid, surplus, loss } = transaction;
  if (screen === 'completed') return hasOpenSurplus(transaction);
  if (screen === 'expired') return amountPaid !== '0' && surplus?.isSettled !== true;
  if (screen === 'lost') return loss !== 'gone_settled';
  return screen === 'late' || screen === 'reviewing' || screen === 'failed';
}

/** Whether the shop has coins that it could refund: coins that may still vanish do not count. */
function hasMoney({ payments }: CustomerView, screen: Screen): boolean {
  return screen !== 'lost' && screen !== 'reviewing' && payments.some(({ status }) => status === 'confirmed');
}
