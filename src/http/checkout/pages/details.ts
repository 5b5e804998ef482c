import { formatCoins, parseCoins } from '../../../../machines/index.ts';
import type { CustomerView, PublicPayment } from '../../../payments/index.ts';
import { explorerOf } from '../../../platform/block-explorers.ts';
import { type Html, html } from '../html.ts';
import { networkName, progressWords } from '../labels.ts';
import type { Locale } from '../languages/locales.ts';
import { coins, copyButton, row, timestamp } from './parts.ts';

/** Full details of the price and the payments, for a screen or a receipt. */
export function details(transaction: CustomerView, locale: Locale): Html {
  return html`<dl class="rows">${rowsOf(transaction, locale)}</dl>${paymentList(transaction, locale)}`;
}

/** The payments seen so far; null when there are none. */
function paymentList(transaction: CustomerView, locale: Locale): Html | null {
  const { payments } = transaction;
  if (payments.length === 0) return null;
  const items = payments.map((payment, index) => paymentItem(payment, { index, transaction, locale }));
  return html`<h2>${locale.texts.paymentsHeading}</h2>
<ol class="payments">${items}</ol>`;
}

// Helpers

function rowsOf(transaction: CustomerView, locale: Locale): Html[] {
  const { crypto, currencyFiat, amountExcess, amountRemaining, completedAt, orderId } = transaction;
  const { labels: names } = locale.texts;
  const { money } = locale.formats;
  const isPaid = transaction.amountPaid !== '0';
  const isOpen = transaction.status === 'pending' || transaction.status === 'partial';
  const isOver = transaction.status === 'expired' || transaction.status === 'failed';
  const requested = (amount: string) => html`${coins(amount, 'up', locale)} ${crypto}`;
  const paid = (amount: string) => html`${coins(amount, 'down', locale)} ${crypto}`;
  return [
    ...(orderId === null ? [] : [row(names.order, html`<bdi>${orderId}</bdi>`)]),
    row(names.price, html`${money(transaction.amountFiat, currencyFiat)}`),
    row(names.amountDue, requested(transaction.amountDue)),
    row(names.rate, rate(transaction, locale)),
    ...(isPaid || isOpen ? [row(paidLabel(transaction, locale), paid(transaction.amountPaid))] : []),
    ...(isPaid && isOpen ? [row(names.stillDue, requested(amountRemaining))] : []),
    ...(amountExcess === '0' ? [] : [row(names.paidTooMuch, paid(amountExcess))]),
    row(names.network, html`${networkName(transaction, locale)}`),
    ...(isPaid || isOpen ? [row(names.confirmations, confirmations(transaction, locale))] : []),
    row(names.created, timestamp(transaction.createdAt, locale)),
    ...(isOpen && transaction.exception === null
      ? [row(names.payUntil, timestamp(transaction.expiresAt, locale))]
      : []),
    ...(isOver ? [row(names.wasOpenUntil, timestamp(transaction.expiresAt, locale))] : []),
    ...(completedAt === null ? [] : [row(names.completed, timestamp(completedAt, locale))]),
    ...receiptRow(transaction, locale),
    row(names.paymentNumber, html`<span class="id">${transaction.id}</span>`),
  ];
}

/** Unless the customer can still pay, coins are called paid only if the order is. */
function paidLabel({ status, loss, payments }: CustomerView, { texts }: Locale): string {
  const { paidSoFar, paid, received, receivedUnconfirmed } = texts.labels;
  if (status === 'pending' || status === 'partial') return paidSoFar;
  if (status === 'completed' && loss === null) return paid;
  return payments.some((each) => UNCONFIRMED.has(each.status)) ? receivedUnconfirmed : received;
}

const UNCONFIRMED: ReadonlySet<PublicPayment['status']> = new Set(['detected', 'confirming']);

/** Where the receipt went, on the receipt; a test sends none. */
function receiptRow({ completedAt, receipt, mode }: CustomerView, { texts }: Locale): Html[] {
  const address = receipt?.address ?? null;
  if (completedAt === null || address === null || mode === 'test') return [];
  return [row(texts.receipt.label, html`<bdi>${address}</bdi>`)];
}

function rate({ crypto, currencyFiat, exchangeRate, fiatToUsdRate }: CustomerView, { formats }: Locale): Html {
  const fiat = currencyFiat === 'USD' ? null : html`<br>1 ${currencyFiat} = ${formats.rate(fiatToUsdRate)} USD`;
  return html`1 ${crypto} = ${formats.coinPrice(exchangeRate)} USD${fiat}`;
}

function confirmations(transaction: CustomerView, locale: Locale): Html {
  const { confirmationsRequired, status } = transaction;
  if (status === 'completed' && transaction.completedBy === 'chain' && transaction.loss === null) {
    const all = locale.formats.count(confirmationsRequired);
    return html`${locale.texts.countOf(all, all)}`;
  }
  return html`${progressWords(transaction, locale).count}`;
}

interface ItemParts {
  readonly index: number;
  readonly transaction: CustomerView;
  readonly locale: Locale;
}

function paymentItem(payment: PublicPayment, { index, transaction, locale }: ItemParts): Html {
  const { txid, amount, status, detectedAt } = payment;
  const copyId =
    txid === null ? null : copyButton({ id: `copy-txid-${index}`, text: txid, what: 'transactionId' }, locale);
  return html`<li class="${status === 'replaced' ? 'gone' : 'there'}">
  <p class="sum"><b>${coins(amount, 'down', locale)} ${transaction.crypto}</b> <span>${statusText(payment, transaction, locale)}</span></p>
  <p class="when">${timestamp(detectedAt, locale)}</p>
  ${txid === null ? null : html`<p class="id-line"><span class="id">${txid}</span>${copyId}</p>`}
  ${explorerLink(payment, { index, transaction, locale })}
</li>`;
}

/** Main networks and known test networks only: explorers do not know a simulated transaction. */
function explorerLink({ txid }: PublicPayment, { index, transaction, locale }: ItemParts): Html | null {
  const { isSimulated, network } = transaction;
  if (txid === null || isSimulated) return null;
  const explorer = explorerOf(`${network.chain}-${network.kind}`, txid);
  if (explorer === null) return null;
  return html`<p class="explorer"><a class="link" id="explorer-${index}" href="${explorer.url}" target="_blank" rel="noopener noreferrer nofollow">${locale.texts.explorer(explorer.name)}</a></p>`;
}

function statusText(payment: PublicPayment, transaction: CustomerView, locale: Locale): string {
  if (payment.status === 'replaced' && !payment.isReplaced) return locale.texts.statuses.gone;
  if (payment.status !== 'confirming') return locale.texts.statuses[payment.status];
  const { count, what } = progressWords({ ...transaction, payments: [payment] }, locale);
  return `${count} ${what}`;
}

/** Items that are always shown; the others unfold. */
const SHOWN_ITEMS = 4;
/** Every currency that a price may be in has two decimal places. */
const FIAT_DECIMALS = 2;

type Item = CustomerView['items'][number];

/**
 * What is bought: the shop's items with their prices, or the title of a payment link or recurring
 * request; null when neither is known.
 */
export function lineItems({ title, items, currencyFiat }: CustomerView, locale: Locale): Html | null {
  if (items.length === 0) return title === null ? null : html`<p class="bought"><bdi>${title}</bdi></p>`;
  const listed = (some: readonly Item[]) => html`<ul>${some.map((item) => line(item, currencyFiat, locale))}</ul>`;
  // A single folded item takes no more room than the control that unfolds it.
  const shown = items.length === SHOWN_ITEMS + 1 ? items.length : SHOWN_ITEMS;
  const rest = items.slice(shown);
  const folded =
    rest.length === 0
      ? null
      : html`<details id="items"><summary id="items-summary">+ ${locale.formats.count(rest.length)}</summary>${listed(rest)}</details>`;
  return html`<div class="bought">${listed(items.slice(0, shown))}${folded}</div>`;
}

function line({ name, quantity, price }: Item, currencyFiat: CustomerView['currencyFiat'], { formats }: Locale): Html {
  const total = formatCoins(BigInt(quantity) * parseCoins(price, FIAT_DECIMALS, 'price'), FIAT_DECIMALS);
  return html`<li><span>${formats.count(quantity)} × <bdi>${name}</bdi></span> <span>${formats.money(total, currencyFiat)}</span></li>`;
}
