import { ASSETS, MINUTE_MS, SECOND_MS, type UnixMs } from '../../../../machines/index.ts';
import type { CustomerView } from '../../../payments/index.ts';
import { type Html, html } from '../html.ts';
import { networkName } from '../labels.ts';
import type { Locale } from '../languages/locales.ts';
import { qrCode } from '../qr.ts';
import { remainingMs } from '../screen.ts';
import { coins, copyButton, timestamp } from './parts.ts';

/** The countdown is shown from here on. Earlier it would only put pressure on customers. */
const TIMER_FROM_MS = 5 * MINUTE_MS;

/** How to pay: amount, code, address and network, in the order in which a customer needs them. */
export function payPanel(transaction: CustomerView, now: UnixMs, locale: Locale): Html {
  const { crypto, amountRemaining, depositAddress, amountPaid } = transaction;
  const { texts, formats } = locale;
  const exact = formats.exactCoins(amountRemaining);
  const until = transaction.expiresAt - transaction.clockOffsetMs;
  return html`<p class="until">${texts.labels.payUntil} ${timestamp(until, locale)}</p>
${timer(transaction, now, locale)}
<div class="amount">
  <p class="label" id="amount-label">${amountPaid === '0' ? texts.pay.amount : texts.pay.stillToPay}</p>
  <p class="number" data-copy="${exact}" data-copy-by="copy-amount"><span class="digits">${coins(amountRemaining, 'up', locale)}</span> <span class="unit">${crypto}</span></p>
  ${copyButton({ id: 'copy-amount', text: exact, what: 'amount' }, locale)}
</div>
${codes(transaction, locale)}
<div class="address">
  <p class="label">${texts.pay.address}</p>
  <p class="text" data-copy="${depositAddress}" data-copy-by="copy-address">${depositAddress}</p>
  ${copyButton({ id: 'copy-address', text: depositAddress, what: 'address' }, locale)}
</div>
<p class="network"><strong>${texts.network.only(crypto, networkName(transaction, locale))}</strong> ${texts.network.lost}</p>
<p class="hint">${texts.pay.exchangeFee(formats.coinsOf(amountRemaining, crypto, 'up'))}</p>`;
}

// Helpers

/** Hidden while there is plenty of time; the script shows it later. */
function timer(transaction: CustomerView, now: UnixMs, { texts }: Locale): Html {
  const leftMs = Math.max(0, remainingMs(transaction, now));
  const seconds = Math.ceil(leftMs / SECOND_MS);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const inside = html`${texts.timer.left} <b id="time-left">${clock}</b>`;
  const { warning } = texts.timer;
  return leftMs <= TIMER_FROM_MS
    ? html`<p class="timer" id="timer" role="timer" data-left-ms="${leftMs}" data-warning="${warning}">${inside}</p>`
    : html`<p class="timer" id="timer" role="timer" data-left-ms="${leftMs}" data-warning="${warning}" hidden>${inside}</p>`;
}

const CHECKED = html` checked`;

/** Radio buttons and CSS switch between the codes, so this works without script. */
function codes(
  { paymentUri, depositAddress, amountRemaining, crypto }: CustomerView,
  { texts: { pay }, formats }: Locale,
): Html {
  const amount = formats.coinsOf(amountRemaining, crypto, 'up');
  const addressCode = qrCode(depositAddress, pay.addressCodeLabel(depositAddress));
  if (paymentUri === null) {
    return html`<div class="codes"><div class="tile">${addressCode}<p>${pay.amountNotInCode(amount)}</p></div></div>`;
  }
  const fullCode = qrCode(paymentUri, pay.fullCodeLabel(`${formats.exactCoins(amountRemaining)} ${crypto}`));
  // A wallet that reads only an address would use the contract of a token as the recipient.
  const [full, bare] = ASSETS[crypto].type === 'token' ? [null, CHECKED] : [CHECKED, null];
  return html`<div class="codes" role="group" aria-label="${pay.code}">
  <input type="radio" name="code" id="code-full"${full}><label for="code-full">${pay.fullCode}</label>
  <input type="radio" name="code" id="code-address"${bare}><label for="code-address">${pay.addressCode}</label>
  <div class="tile full">${fullCode}</div>
  <div class="tile bare">${addressCode}<p>${pay.amountNotInCode(amount)}</p></div>
  <a class="button" id="open-wallet" href="${paymentUri}">${pay.openWallet}</a>
</div>`;
}
