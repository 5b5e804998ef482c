import { MINUTE_MS, SECOND_MS, type UnixMs } from '../../../machines/index.ts';
import type { PublicTransaction } from '../../payments/index.ts';
import { type Html, html } from '../html.ts';
import { qrCode } from '../qr.ts';
import { remainingMs } from '../screen.ts';
import { networkWords } from '../words.ts';
import { copyButton } from './parts.ts';

/** The clock is shown from here on. Earlier it would only make people hurry. */
const TIMER_FROM_MS = 5 * MINUTE_MS;

/** How to pay: amount, code, address, network, in the order in which a customer needs them. */
export function payPanel(transaction: PublicTransaction, now: UnixMs): Html {
  const { crypto, amountRemaining, depositAddress, amountPaid } = transaction;
  const { what, where } = networkWords(transaction);
  return html`${timer(transaction, now)}
<div class="amount">
  <p class="label" id="amount-label">${amountPaid === '0' ? 'Amount' : 'Still to pay'}</p>
  <p class="number" data-copy="${amountRemaining}" data-copy-by="copy-amount"><span class="digits">${amountRemaining}</span> <span class="unit">${crypto}</span></p>
  ${copyButton({ id: 'copy-amount', text: amountRemaining, what: 'amount' })}
</div>
${codes(transaction)}
<div class="address">
  <p class="label">Address</p>
  <p class="text" data-copy="${depositAddress}" data-copy-by="copy-address">${depositAddress}</p>
  ${copyButton({ id: 'copy-address', text: depositAddress, what: 'address' })}
</div>
<p class="network"><strong>${what}</strong> on the <strong>${where}</strong> only. Coins sent in any other network are lost.</p>
<p class="hint">Sending from an exchange? Its fee comes on top: exactly ${amountRemaining} ${crypto} must arrive here.</p>`;
}

// Helpers

/** Hidden while there is plenty of time; the script shows it when the time comes. */
function timer(transaction: PublicTransaction, now: UnixMs): Html {
  const leftMs = Math.max(0, remainingMs(transaction, now));
  const seconds = Math.ceil(leftMs / SECOND_MS);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const inside = html`Time left <b id="time-left">${clock}</b>`;
  return leftMs <= TIMER_FROM_MS
    ? html`<p class="timer" id="timer" role="timer" data-left-ms="${leftMs}">${inside}</p>`
    : html`<p class="timer" id="timer" role="timer" data-left-ms="${leftMs}" hidden>${inside}</p>`;
}

/** Two radio buttons and style alone switch between the codes, so it works without script. */
function codes({ paymentUri, depositAddress, amountRemaining, crypto }: PublicTransaction): Html {
  const addressCode = qrCode(depositAddress, `QR code with the address ${depositAddress}`);
  if (paymentUri === null) return html`<div class="codes"><div class="tile">${addressCode}</div></div>`;
  const fullCode = qrCode(paymentUri, `QR code with the address and the amount of ${amountRemaining} ${crypto}`);
  return html`<div class="codes" role="group" aria-label="QR code">
  <input type="radio" name="code" id="code-full" checked><label for="code-full">Address and amount</label>
  <input type="radio" name="code" id="code-address"><label for="code-address">Address only</label>
  <div class="tile full">${fullCode}</div>
  <div class="tile bare">${addressCode}<p>The amount is not in this code: enter ${amountRemaining} ${crypto} yourself.</p></div>
  <a class="button" id="open-wallet" href="${paymentUri}">Open wallet</a>
</div>`;
}
