import type { PaymentStatus } from '../../../machines/index.ts';
import type { PublicPayment, PublicTransaction } from '../../payments/index.ts';
import { type Html, html } from '../html.ts';
import { confirmationsOf, fiatAmount, networkWords } from '../words.ts';
import { copyButton, fact, moment } from './parts.ts';

/** Everything there is to know about the price and what has been paid, for a screen or a receipt. */
export function details(transaction: PublicTransaction): Html {
  return html`<dl class="facts">${factsOf(transaction)}</dl>${paymentList(transaction)}`;
}

/** The payments that were seen; nothing when there are none. */
function paymentList(transaction: PublicTransaction): Html | null {
  const { payments } = transaction;
  if (payments.length === 0) return null;
  return html`<h2>Payments</h2>
<ol class="payments">${payments.map((payment, index) => paymentItem(payment, { index, transaction }))}</ol>`;
}

// Helpers

function factsOf(transaction: PublicTransaction): Html[] {
  const { crypto, currencyFiat, amountExcess, amountRemaining, completedAt, orderId } = transaction;
  const { where } = networkWords(transaction);
  const isPaid = transaction.amountPaid !== '0';
  const isOpen = transaction.status === 'pending' || transaction.status === 'partial';
  const isOver = transaction.status === 'expired' || transaction.status === 'failed';
  const coins = (amount: string) => html`${amount} ${crypto}`;
  return [
    ...(orderId === null ? [] : [fact('Order', html`<bdi>${orderId}</bdi>`)]),
    fact('Price', html`${fiatAmount(transaction.amountFiat)} ${currencyFiat}`),
    fact('Amount due', coins(transaction.amountDue)),
    fact('Rate, locked', rate(transaction)),
    ...(isPaid || isOpen ? [fact(isOpen ? 'Paid so far' : 'Paid', coins(transaction.amountPaid))] : []),
    ...(isPaid && isOpen ? [fact('Still due', coins(amountRemaining))] : []),
    ...(amountExcess === '0' ? [] : [fact('Paid too much', coins(amountExcess))]),
    fact('Network', html`${where}`),
    ...(isPaid || isOpen ? [fact('Confirmations', confirmations(transaction))] : []),
    fact('Created', moment(transaction.createdAt)),
    ...(isOpen && transaction.exception === null ? [fact('Pay until', moment(transaction.expiresAt))] : []),
    ...(isOver ? [fact('Was open until', moment(transaction.expiresAt))] : []),
    ...(completedAt === null ? [] : [fact('Completed', moment(completedAt))]),
    fact('Payment number', html`<span class="id">${transaction.id}</span>`),
  ];
}

function rate({ crypto, currencyFiat, exchangeRate, fiatToUsdRate }: PublicTransaction): Html {
  const fiat = currencyFiat === 'USD' ? null : html`<br>1 ${currencyFiat} = ${fiatToUsdRate} USD`;
  return html`1 ${crypto} = ${exchangeRate} USD${fiat}`;
}

function confirmations(transaction: PublicTransaction): Html {
  const { confirmationsRequired, status } = transaction;
  if (status === 'completed' && transaction.completedBy === 'chain') return html`${confirmationsRequired}, complete`;
  return html`${confirmationsOf(transaction)} of ${confirmationsRequired}`;
}

function paymentItem(
  payment: PublicPayment,
  { index, transaction }: { index: number; transaction: PublicTransaction },
): Html {
  const { txid, amount, status, detectedAt } = payment;
  const isReplaced = status === 'replaced';
  return html`<li class="${isReplaced ? 'gone' : 'there'}">
  <p class="sum"><b>${amount} ${transaction.crypto}</b> <span>${standing(payment, transaction)}</span></p>
  <p class="when">${moment(detectedAt)}</p>
  ${txid === null ? null : html`<p class="txid"><span class="id">${txid}</span>${copyButton({ id: `copy-txid-${index}`, text: txid, what: 'transaction id' })}</p>`}
</li>`;
}

const STANDINGS: { readonly [S in PaymentStatus]: string } = {
  detected: 'seen, not confirmed yet',
  confirming: 'being confirmed',
  confirmed: 'confirmed',
  replaced: 'replaced, does not count',
};

function standing({ status, confirmations: count }: PublicPayment, transaction: PublicTransaction): string {
  if (status !== 'confirming') return STANDINGS[status];
  return `${Math.min(count, transaction.confirmationsRequired)} of ${transaction.confirmationsRequired} confirmations`;
}
