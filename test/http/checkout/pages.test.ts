import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHAINS, type Chain, MINUTE_MS } from '../../../machines/index.ts';
import { LOCALES } from '../../../src/http/checkout/languages/locales.ts';
import { paymentPage as renderPage, updateOf } from '../../../src/http/checkout/pages/payment.ts';
import { sendProblemPage } from '../../../src/http/checkout/problems.ts';
import type { CustomerView, PublicPayment } from '../../../src/payments/index.ts';
import { RetryableError, TerminalError } from '../../../src/platform/errors.ts';
import { escapeHtml } from '../../../src/platform/text.ts';
import { NETWORK_KINDS, type NetworkKind } from '../../../src/wallets/index.ts';
import { assertProperty, textOfAnyCharacters } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { BRAND, NO_BRAND, NOW, SAMPLES, samplePayment, sampleSurplus, sampleTransaction } from './samples.ts';

/** The page in English. */
function paymentPage(transaction: CustomerView, now: number): string {
  return renderPage(transaction, now, LOCALES.en);
}

function textOf(name: string): string {
  return textOfPage(SAMPLES[name] ?? sampleTransaction());
}

/** The visible text, without the head, the announcement, and what only the script shows. */
function textOfPage(transaction: CustomerView): string {
  const page = paymentPage(transaction, NOW);
  const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
  return main
    .replace(/<template.*?<\/template>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ');
}

describe('the text of each screen', () => {
  test('waiting: amount, address, network in words, exchange fee note, locked rate', () => {
    const text = textOf('waiting');
    expect(text).toContain('Pay 25.00 EUR');
    expect(text).toContain('0.33540373 LTC');
    expect(text).toContain('ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9');
    expect(text).toContain('LTC on Litecoin only');
    expect(text).toContain('exactly 0.33540373 LTC must arrive here');
    expect(text).toContain('1 LTC = 80.50 USD 1 EUR = 1.08 USD');
    expect(text).toMatch(/Pay until \d.* Amount/);
  });

  test('what is bought is shown while it is paid and on the receipt: items with their sums, or a title', () => {
    const items = ['Mug', '<b>Tea</b>', 'Pot', 'Cake', 'Jam', 'Bag'].map((name, index) => {
      return { name, quantity: index + 1, price: '1.5' };
    });
    for (const changes of [{}, { status: 'completed', amountPaid: '0.33540373', completedAt: NOW }] as const) {
      const detailed = textOfPage(sampleTransaction({ ...changes, items }));
      expect(detailed).toContain('1 × Mug 1.50 EUR 2 × &lt;b&gt;Tea&lt;/b&gt; 3.00 EUR');
      expect(detailed).toContain('4 × Cake 6.00 EUR + 2 5 × Jam 7.50 EUR 6 × Bag 9.00 EUR');
      const five = textOfPage(sampleTransaction({ ...changes, items: items.slice(0, 5) }));
      expect(five).toContain('4 × Cake 6.00 EUR 5 × Jam 7.50 EUR');
      expect(textOfPage(sampleTransaction({ ...changes, title: 'A <b>seat</b>' }))).toContain(
        'A &lt;b&gt;seat&lt;/b&gt;',
      );
    }
  });

  test('waiting: amount, code, address, network, hint and details are in this order', () => {
    const page = paymentPage(sampleTransaction(), NOW);
    const markers = [
      'class="until"',
      'amount-label',
      'class="codes"',
      'class="address"',
      'class="network"',
      'class="hint"',
      'id="details"',
    ];
    const found = markers.map((marker) => page.indexOf(marker));
    expect(found).not.toContain(-1);
    expect(found).toEqual([...found].sort((a, b) => a - b));
  });

  test('waiting for a token: its standard is named, and the wallet link has contract and amount', () => {
    const sample = SAMPLES['waiting, token'] ?? sampleTransaction();
    expect(textOf('waiting, token')).toContain('USDT on Ethereum (ERC-20) only');
    expect(paymentPage(sample, NOW)).toContain(`id="open-wallet" href="${escapeHtml(sample.paymentUri ?? '')}"`);
  });

  test('waiting for a token without a known contract: the page says that the code has no amount, and no link offers to send ether', () => {
    const name = 'waiting, token without contract';
    expect(textOf(name)).toContain('USDT on Ethereum (ERC-20) only');
    expect(textOf(name)).toContain('The amount is not in this code: enter 27.027028 USDT yourself.');
    expect(paymentPage(SAMPLES[name] ?? sampleTransaction(), NOW)).not.toContain('ethereum:');
  });

  test('partial: exactly the amount still due, to the same address', () => {
    const text = textOf('partial');
    expect(text).toContain('0.16770187 LTC is still missing');
    expect(text).toContain('0.16770186 of 0.33540373 LTC has arrived');
    expect(text).toContain('Still to pay 0.16770187 LTC');
    expect(text).toContain('ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9');
  });

  test('partial in a coin with many decimals: rounds the due amount up, the received amount down, and copies the exact one', () => {
    const text = textOf('partial, many decimals');
    expect(text).toContain('4.02345679 ETH is still missing');
    expect(text).toContain('0.099999999 of 4.12345678 ETH has arrived');
    expect(text).toContain('exactly 4.02345679 ETH must arrive here');
    const page = paymentPage(SAMPLES['partial, many decimals'] ?? sampleTransaction(), NOW);
    expect(page).toContain('id="copy-amount" data-copy="4.023456780000000001"');
    expect(page).toContain('aria-label="QR code with the address and the amount of 4.023456780000000001 ETH"');
    expect(page).toContain('<dd><span title="4.023456780000000001">4.02345679</span> ETH</dd>');
    expect(page).toContain('<b><span title="0.099999999999999999">0.099999999</span> ETH</b>');
  });

  test('checking: gives the reason, and hides the address once the window has ended', () => {
    expect(textOf('checking, window open')).toContain('We cannot see new payments on the Litecoin network');
    expect(textOf('checking, window open')).toContain('You can still pay');
    expect(textOf('checking, window open')).not.toContain('has arrived');
    expect(textOf('checking, partly paid')).toContain('0.16770186 of 0.33540373 LTC has arrived');
    expect(textOf('checking, window open')).toContain('ltc1q');
    expect(textOf('checking, window over')).toContain('If you have paid in time, your payment counts');
    expect(paymentPage(SAMPLES['checking, window over'] ?? sampleTransaction(), NOW)).not.toContain('ltc1q');
  });

  test('seen: counts confirmations without replaced transactions, and says that the customer may leave', () => {
    expect(textOf('seen')).toContain('2 of 3 confirmations');
    expect(textOf('seen')).toContain('replaced, does not count');
    expect(textOf('seen')).toContain('You can leave this page');
    expect(textOf('seen, unconfirmed')).toContain('0 of 3 confirmations');
    expect(textOf('seen, blind')).toContain('We cannot see the newest confirmations');
  });

  test('after the window, coins that were seen and are gone are neither on their way nor a reason to leave', () => {
    const text = textOf('lost, not completed');
    expect(text).toContain('The coins were seen, but are no longer visible on the network.');
    expect(text).not.toMatch(/has been seen|on its way|You can leave this page/);
    const page = paymentPage(SAMPLES['lost, not completed'] ?? sampleTransaction(), NOW);
    expect(page).not.toContain('https://shop.example/thanks');
  });

  test('while the window is open, says that coins which were seen are gone', () => {
    const notice = 'A payment of 0.1 LTC was seen but is no longer on the network. Check your wallet before paying';
    for (const name of ['waiting', 'partial']) {
      expect(textOf(`${name}, part gone`)).toContain(notice);
      const sample = SAMPLES[`${name}, part gone`] ?? sampleTransaction();
      expect(updateOf(sample, NOW, LOCALES.en).announcement).toContain(notice);
      expect(textOfPage({ ...sample, syncedUntil: NOW - 6 * MINUTE_MS })).toContain(notice);
      const later = textOfPage({ ...sample, expiresAt: NOW - 5_000 });
      expect(later).toContain('Please do not send anything now.');
      expect(later).not.toContain('before paying again');
    }
    const both = samplePayment({ status: 'replaced', amount: '0.2', txid: 'ab'.repeat(32) });
    const [dropped = both] = SAMPLES['waiting, part gone']?.payments ?? [];
    const seenIn = (...payments: PublicPayment[]) => textOfPage(sampleTransaction({ payments }));
    expect(seenIn(both, dropped)).toContain('A payment of 0.3 LTC was seen');
    const moved = { ...both, status: 'confirming' } as const;
    for (const payments of [[both, moved], [{ ...both, txid: null }], [{ ...both, isReplaced: true }]]) {
      expect(seenIn(...payments)).not.toContain('before paying again');
    }
  });

  test('says that coins may return only where no other transaction spends them', () => {
    const failed = SAMPLES.failed ?? sampleTransaction();
    const names = ['lost', 'lost, settled', 'lost, not completed', 'failed'];
    const returns = /They may return|If the coins (?:still )?arrive/;
    for (const name of names) {
      const sample = SAMPLES[name] ?? failed;
      const replaced = samplePayment({ status: 'replaced', isReplaced: true });
      expect([name, returns.test(textOfPage(sample))]).toEqual([name, true]);
      expect([name, returns.test(textOfPage({ ...sample, payments: [replaced] }))]).toEqual([name, false]);
      const some = [replaced, samplePayment({ status: 'replaced' })];
      expect([name, returns.test(textOfPage({ ...sample, payments: some }))]).toEqual([name, true]);
    }
  });

  test('of a failed payment blames the network only where its coins missed the deadline', () => {
    const failed = SAMPLES['failed, others came later'] ?? sampleTransaction();
    expect(textOfPage(failed)).not.toMatch(/did not confirm|If it is still confirmed/);
    const payments = [samplePayment({ status: 'replaced', missedDeadline: true }), samplePayment()];
    expect(textOfPage({ ...failed, payments })).toContain('did not confirm the payment in time');
  });

  test('completed: calls only confirmed coins confirmed, when more has arrived', () => {
    const payments = [
      samplePayment({ status: 'confirmed', amount: '0.33540373' }),
      samplePayment({ status: 'detected', amount: '0.1' }),
      samplePayment({ status: 'replaced', amount: '0.2' }),
      samplePayment({ status: 'confirmed', amount: '0.3', isDeclined: true }),
    ];
    const more = { payments, amountPaid: '0.43540373', amountExcess: '0.1', surplus: sampleSurplus('10000000') };
    const text = textOfPage({ ...(SAMPLES.completed ?? sampleTransaction()), ...more });
    expect(text).toContain('0.33540373 LTC is confirmed');
    expect(text).toContain('0.1 LTC more than was due has arrived');
  });

  test('after a replaced transaction: says so under the heading, on every screen and in every language, and not when it was only lost', () => {
    for (const locale of Object.values(LOCALES)) {
      for (const sample of Object.values(SAMPLES)) {
        const lost = samplePayment({ status: 'replaced', amount: '0.1' });
        const under = (payment: PublicPayment) =>
          renderPage({ ...sample, payments: [payment, samplePayment()] }, NOW, locale).match(
            /<\/h1>\s*<p>([^<]*)<\/p>/,
          )?.[1];
        const sentence = escapeHtml(locale.texts.screens.replaced);
        expect(under({ ...lost, isReplaced: true })).toBe(sentence);
        expect(under(lost)).not.toBe(sentence);
        const { replaced, gone } = locale.texts.statuses;
        const page = renderPage({ ...sample, payments: [lost] }, NOW, locale);
        expect(page).not.toContain(escapeHtml(replaced));
        if (renderPage({ ...sample, payments: [samplePayment()] }, NOW, locale).includes('class="payments"'))
          expect(page).toContain(escapeHtml(gone));
      }
    }
    expect(updateOf(SAMPLES.seen ?? sampleTransaction(), NOW, LOCALES.en).announcement).toContain(
      'An earlier transaction was replaced by another one',
    );
  });

  test('completed: a receipt with the link back to the shop', () => {
    const text = textOf('completed');
    expect(text).toContain('Paid');
    expect(text).toContain('Order A-2026-0017');
    expect(text).toContain('Completed 21 Nov 2026, 09:59 UTC');
    expect(text).toContain('Confirmations 3 of 3');
    const page = paymentPage(SAMPLES.completed ?? sampleTransaction(), NOW);
    expect(page).toContain('href="https://shop.example/thanks?order=17" rel="noopener noreferrer"');
    expect(textOf('completed, too much')).toContain('0.01459627 LTC more than was due');
    expect(textOf('completed, too much')).toContain('The shop has accepted this payment');
    const rounded = { ...SAMPLES['completed, too much'], crypto: 'ETH', surplus: sampleSurplus('9999999999') } as const;
    expect(textOfPage(sampleTransaction(rounded))).not.toContain('more than was due');
    // The tolerance applies to an excess too, and unconfirmed coins may still vanish: no item.
    expect(textOfPage(sampleTransaction({ ...rounded, surplus: null }))).not.toContain('more than was due');
  });

  test('completed with an excess: asks the customer to contact the shop until the shop has settled it, and follows that', () => {
    const open = SAMPLES['completed, too much'] ?? sampleTransaction();
    for (const locale of Object.values(LOCALES)) {
      const { tooMuch, tooMuchSettled } = locale.texts.screens.completed;
      const [asking, settled] = [tooMuch, tooMuchSettled].map((text) => escapeHtml(text('0.01459627 LTC')));
      for (const isSettled of [false, true]) {
        const transaction = { ...open, surplus: sampleSurplus('1459627', { isSettled }) };
        const page = renderPage(transaction, NOW, locale);
        expect([page.includes(asking ?? ''), page.includes(settled ?? '')]).toEqual([!isSettled, isSettled]);
        expect(page.includes('<section class="contact">')).toBe(!isSettled);
        expect(updateOf(transaction, NOW, locale).pace).toBe(isSettled ? 'still' : 'slow');
      }
    }
    expect(textOf('completed, excess settled')).toContain('The shop has marked this as settled.');
    expect(textOf('completed, excess settled')).not.toContain('to get it back');
  });

  test('expired with coins: asks the customer to contact the shop until the shop has settled them', () => {
    const open = SAMPLES['expired, partly paid'] ?? sampleTransaction();
    for (const locale of Object.values(LOCALES)) {
      const { paid, paidSettled } = locale.texts.screens.expired;
      const [asking, settled] = [paid, paidSettled].map((sentences) => escapeHtml(sentences.at(-1) ?? ''));
      for (const isSettled of [false, true]) {
        const page = renderPage({ ...open, surplus: sampleSurplus('16770186', { isSettled }) }, NOW, locale);
        const shows = [asking, settled, '<section class="contact">'].map((part) => page.includes(part ?? ''));
        expect(shows).toEqual([!isSettled, isSettled, !isSettled]);
      }
    }
  });

  test.each([
    ['seen', 'Received, not confirmed 0.33540373 LTC'],
    ['lost, a part', 'Received, not confirmed 0.16770186 LTC'],
    ['late, confirmed late', 'Received 0.33540373 LTC'],
    ['expired, late coins dismissed', 'Received 0.33540373 LTC'],
    ['completed, too much', 'Paid 0.35 LTC'],
    ['lost', 'This payment is no longer on the network The shop does not have these coins. Check in your wallet'],
    ['lost', 'If the coins arrive again, this page will show it.'],
    ['lost, settled', 'This payment is no longer on the network The shop has settled this.'],
    ['lost, a part', 'Part of this payment is no longer on the network'],
    ['lost, replaced', 'shows the payment as cancelled or replaced, contact the shop before you pay again'],
    ['lost, not completed', 'They may return; this page updates automatically.'],
    ['lost, not completed', 'shows the payment as cancelled or replaced, contact the shop before you pay again'],
    ['expired', 'Already sent? Your payment will be found'],
    ['expired, partly paid', '0.16770186 of 0.33540373 LTC has arrived'],
    ['expired, late coins dismissed', 'The shop did not accept the late payment. Please do not send anything more.'],
    ['late', 'arrived after the time to pay was over. The shop has been notified and decides'],
    ['late', 'Received, not confirmed 0.33540373 LTC'],
    ['late, confirmed late', 'the network confirmed it only after the payment had failed. The shop has been notified'],
    [
      'late, partly confirmed late',
      'Part of 0.33540373 LTC arrived after the time to pay was over. The rest arrived in',
    ],
    ['reviewing', 'The shop has been asked to look at it'],
    ['failed', 'no longer on the network. Please contact the shop before you pay again'],
    ['failed, unconfirmed', 'did not confirm the payment in time. Please contact the shop before you pay again'],
    ['failed, unconfirmed', 'Received, not confirmed 0.33540373 LTC'],
    ['failed, others came later', 'that were sent in time are no longer on the network. Please contact the shop'],
    ['failed, rejected', 'The shop has rejected this payment. Please contact the shop before you pay again'],
  ])('%s: explains the status and shows neither address nor code', (name, sentence) => {
    expect(textOf(name)).toContain(sentence);
    const page = paymentPage(SAMPLES[name] ?? sampleTransaction(), NOW);
    expect(page).not.toContain('ltc1q');
    expect(page).not.toContain('class="code"');
  });

  test('only test payments are labelled as such, and only simulated ones have buttons', () => {
    expect(paymentPage(sampleTransaction(), NOW)).not.toContain('Test payment');
    expect(paymentPage(sampleTransaction(), NOW)).not.toContain('<form');
    const test = SAMPLES['waiting, test'] ?? sampleTransaction();
    expect(paymentPage(test, NOW)).toContain('<strong>Test payment</strong>: no real money');
    expect(paymentPage(test, NOW)).toContain('value="pay_partial"');
    expect(paymentPage({ ...test, isSimulated: false, syncedUntil: NOW }, NOW)).not.toContain('<form');
  });

  test.each(Object.keys(SAMPLES))('"%s" of a test offers to confirm coins if some are unconfirmed', (name) => {
    const sample = { ...(SAMPLES[name] ?? sampleTransaction()), mode: 'test', isSimulated: true } as const;
    for (const status of ['detected', 'confirming', 'confirmed', 'replaced'] as const) {
      const page = paymentPage({ ...sample, payments: [samplePayment({ status, amount: '0.1' })] }, NOW);
      const offers = (action: string) => page.includes(`id="simulate-${action}"`);
      expect([status, offers('confirm')]).toEqual([status, status === 'detected' || status === 'confirming']);
      if (status !== 'detected') expect(offers('double_spend')).toBe(false);
      if (status === 'detected' || status === 'replaced') expect(offers('reorg')).toBe(false);
    }
    expect(paymentPage({ ...sample, payments: [] }, NOW)).not.toContain('id="simulate-confirm"');
  });
});

test('a page that asks for money has the text that replaces it when the connection is lost at the end', () => {
  for (const name of Object.keys(SAMPLES)) {
    const page = paymentPage(SAMPLES[name] ?? sampleTransaction(), NOW);
    const [inside = ''] = /<template id="window-over">.*?<\/template>/s.exec(page) ?? [];
    expect([name, inside !== '']).toEqual([name, page.includes('id="timer"')]);
    if (inside !== '') expect(inside).toContain('Please do not send anything now.');
  }
});

describe('what only the shop can decide', () => {
  const { id } = sampleTransaction();
  const contactIn = (transaction: CustomerView) =>
    /<section class="contact">.*?<\/section>/s.exec(paymentPage(transaction, NOW))?.[0] ?? null;

  test.each(Object.keys(SAMPLES))('"%s" says how to reach the shop if it is up to the shop', (name) => {
    const sample = SAMPLES[name] ?? sampleTransaction();
    const isUpToShop =
      /^(late|lost(?!, settled)|reviewing|failed|completed, too much|expired, (?:partly paid|late coins))/.test(name);
    const [unknown, known] = [NO_BRAND, BRAND].map((brand) => contactIn({ ...sample, brand }));
    expect([unknown !== null, known !== null]).toEqual([isUpToShop, isUpToShop]);
    if (!isUpToShop) return;
    expect(unknown).toContain('Look for its contact details on its website');
    expect(known).toContain(`href="mailto:help@bakery.example?subject=Payment%20number%20${id}"`);
    expect(known).toContain(`data-copy="${id}"`);
  });

  test('asks for an address for a refund where the shop has coins to refund, and while nothing is confirmed for none', () => {
    const asks = (name: string, status: PublicPayment['status']) => {
      const payments = [samplePayment({ status })];
      return contactIn({ ...(SAMPLES[name] ?? sampleTransaction()), payments })?.includes('For a refund, include');
    };
    for (const name of ['late', 'completed, too much', 'expired, partly paid', 'failed']) {
      expect([name, asks(name, 'confirmed')]).toEqual([name, true]);
      for (const status of ['detected', 'confirming', 'replaced'] as const)
        expect([name, status, asks(name, status)]).toEqual([name, status, false]);
    }
    for (const name of ['lost', 'reviewing']) expect([name, asks(name, 'confirmed')]).toEqual([name, false]);
    const failed = sampleTransaction({ status: 'failed', payments: [samplePayment({ status: 'confirmed' })] });
    expect(contactIn(failed)).toContain('an address of your own wallet for LTC on Litecoin');
  });
});

describe('the clock', () => {
  const leftIn = (leftMs: number) => paymentPage(sampleTransaction({ expiresAt: NOW + leftMs }), NOW);

  test("is shown only in the last five minutes, by the server's clock", () => {
    expect(leftIn(5 * MINUTE_MS + 1)).toMatch(/id="timer"[^>]* hidden/);
    expect(leftIn(5 * MINUTE_MS)).not.toMatch(/id="timer"[^>]* hidden/);
    expect(leftIn(3 * MINUTE_MS + 32_000)).toContain('<b id="time-left">3:32</b>');
  });

  test('follows the clock of a simulated transaction', () => {
    const moved = { isSimulated: true, clockOffsetMs: 18 * MINUTE_MS };
    expect(paymentPage(sampleTransaction(moved), NOW)).toContain('<b id="time-left">2:00</b>');
  });
});

describe('a page without script', () => {
  test('reloads itself while it waits for something', () => {
    const refreshIn = (name: string) => {
      const page = paymentPage(SAMPLES[name] ?? sampleTransaction(), NOW);
      return /<noscript><meta http-equiv="refresh" content="(\d+)"><\/noscript>/.exec(page)?.[1] ?? null;
    };
    expect(refreshIn('waiting')).toBe('15');
    expect(refreshIn('seen')).toBe('15');
    expect(refreshIn('expired')).toBe('60');
    expect(refreshIn('completed')).toBeNull();
  });
});

describe('links to the shop', () => {
  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://shop.example', 'shop'])(
    '%s is not rendered as a link',
    (url) => {
      const page = paymentPage(sampleTransaction({ status: 'completed', successUrl: url, cancelUrl: url }), NOW);
      expect(page).not.toContain('Back to the shop');
    },
  );

  test('the receipt links to the success URL, other screens to the cancel URL', () => {
    const back = (changes: Partial<CustomerView>) =>
      /id="back" href="([^"]+)"/.exec(paymentPage(sampleTransaction(changes), NOW))?.[1];
    expect(back({})).toBe('https://shop.example/cart');
    expect(back({ status: 'expired' })).toBe('https://shop.example/cart');
    expect(back({ status: 'completed' })).toBe('https://shop.example/thanks?order=17');
  });
});

describe('an expired payment', () => {
  const quoting = { canQuoteAnew: true, cancelUrl: 'https://pay.example/l/0123456789ab', successUrl: null };
  const back = (changes: Partial<CustomerView>) =>
    /<a class="(\w+)" id="back"[^>]*>([^<]*)</.exec(paymentPage(sampleTransaction(changes), NOW))?.slice(1);

  test('of a link or a period offers a new price, unless something was paid', () => {
    expect(back({ ...quoting, status: 'expired' })).toEqual(['button', 'Get a new price']);
    expect(back({ ...quoting, status: 'expired', amountPaid: '0.1' })).toBeUndefined();
    for (const status of ['completed', 'failed', 'awaiting_confirmation'] as const) {
      expect(back({ ...quoting, status })).toBeUndefined();
    }
    expect(back({ ...quoting, status: 'expired', canQuoteAnew: false })).toEqual(['link', 'Back to the shop']);
    expect(back({ ...quoting, status: 'pending' })).toEqual(['link', 'Choose another coin']);
    expect(back({ ...quoting, status: 'pending', amountPaid: '0.1' })).toBeUndefined();
  });
});

describe('links to block explorers', () => {
  const txid = 'ab'.repeat(32);
  const explorersIn = (changes: Partial<CustomerView>, payment: Partial<PublicPayment> = {}) => {
    const payments = [samplePayment({ txid, ...payment }), samplePayment({ txid: null })];
    const page = paymentPage(sampleTransaction({ status: 'completed', payments, ...changes }), NOW);
    return page.match(/<a [^>]*id="explorer-[^>]*>/g) ?? [];
  };
  const on = (chain: Chain, kind: NetworkKind) => ({ network: { chain, chainName: chain, kind } });

  test.each(CHAINS)('exist for every transaction on the main network of %s, and send no referrer', (chain) => {
    const [link = '', ...others] = explorersIn(on(chain, 'mainnet'));
    expect(others).toEqual([]);
    expect(link).toMatch(
      / href="https:\/\/[a-z.]+\/[a-z/]*tx\/(ab){32}" target="_blank" rel="noopener noreferrer nofollow">$/,
    );
  });

  test('name the explorer in every language', () => {
    const texts = Object.values(LOCALES).map(({ texts: { explorer } }) => explorer('litecoinspace.org'));
    const sample = sampleTransaction({ status: 'completed', payments: [samplePayment()] });
    const pages = Object.values(LOCALES).map((locale) => renderPage(sample, NOW, locale));
    for (const [index, text] of texts.entries()) expect(pages[index]).toContain(`>${text}</a>`);
  });

  test('exist on test networks with a known explorer, and for no simulated or local payment or invalid transaction id', () => {
    for (const chain of CHAINS) {
      for (const kind of NETWORK_KINDS) expect(explorersIn({ ...on(chain, kind), isSimulated: true })).toEqual([]);
      expect(explorersIn({ ...on(chain, 'regtest'), mode: 'test' })).toEqual([]);
      const isKnown = chain === 'bitcoin' || chain === 'ethereum';
      expect(explorersIn({ ...on(chain, 'testnet'), mode: 'test' })).toHaveLength(isKnown ? 1 : 0);
    }
    for (const other of ['javascript:alert(1)', `../${txid}`, '']) expect(explorersIn({}, { txid: other })).toEqual([]);
  });
});

describe('external text', () => {
  const hostile = fc.oneof(
    textOfAnyCharacters(),
    fc.constantFrom(
      '"><script>alert(1)</script>',
      "' onload='x",
      '</main>',
      '<!--',
      ']]>',
      '&lt;',
      '\u0000<',
      '\u202e<b>',
    ),
  );
  const fields: readonly [string, (text: string) => Partial<CustomerView>][] = [
    ['the name of the store', (storeName) => ({ storeName })],
    ['the order', (orderId) => ({ orderId })],
    ['the address', (depositAddress) => ({ depositAddress, paymentUri: null })],
    ['an amount', (text) => ({ amountRemaining: text, amountDue: text, amountPaid: text, paymentUri: null })],
    ['a rate', (text) => ({ exchangeRate: text, fiatToUsdRate: text })],
    ['a transaction id of the chain', (txid) => ({ payments: [samplePayment({ txid })] })],
  ];

  /** Unchanged by escaping, and not used elsewhere. */
  const MARK = 'mark7f3a';

  test.each(fields)('%s affects nothing but itself', (_name, changes) => {
    for (const status of ['pending', 'awaiting_confirmation', 'completed'] as const) {
      const codesOut = (markup: string) => markup.replace(/<svg class="code".*?<\/svg>/gs, '<svg>');
      const expected = codesOut(paymentPage(sampleTransaction({ status, ...changes(MARK) }), NOW));
      assertProperty(
        fc.property(hostile, (text) => {
          // Numbers are formatted by language.
          fc.pre(!/^[\d.]*$/.test(text) && text.length < 100);
          const page = codesOut(paymentPage(sampleTransaction({ status, ...changes(text) }), NOW));
          expect(page).toBe(expected.replaceAll(MARK, () => escapeHtml(text)));
        }),
        { numRuns: level.runs(60) },
      );
    }
  });

  test('URLs of the shop stay inside their attribute', () => {
    assertProperty(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), hostile, (url, tail) => {
        const page = paymentPage(sampleTransaction({ status: 'completed', successUrl: `${url}?${tail}` }), NOW);
        const links = page.slice(page.indexOf('<main')).match(/<a [^>]*>/g) ?? [];
        expect(
          links.filter((link) =>
            /^<a class="\w+" id="back" href="https?:[^"<>]*" rel="noopener noreferrer">$/.test(link),
          ),
        ).toEqual(links);
      }),
    );
  });
});

describe('an update for an open page', () => {
  test('is the same markup as the page, with an announcement', () => {
    for (const transaction of Object.values(SAMPLES)) {
      const update = updateOf(transaction, NOW, LOCALES.en);
      expect(paymentPage(transaction, NOW)).toContain(update.html);
      expect(update.announcement.length).toBeGreaterThan(20);
    }
    expect(updateOf(SAMPLES.seen ?? sampleTransaction(), NOW, LOCALES.en).announcement).toContain(
      '2 of 3 confirmations',
    );
  });
});

describe('an error', () => {
  const secret = 'connect ECONNREFUSED postgres://user:hunter2@db:5432';

  test.each([
    [new RetryableError('DATABASE_UNAVAILABLE', secret, { retryAfterMs: 2_500 }), 503, 3, 'Temporarily unavailable'],
    [new TerminalError('TRANSACTION_NOT_FOUND', secret), 404, null, 'Payment not found'],
    [new Error(secret), 500, null, 'Something went wrong'],
    ['not even an error', 500, null, 'Something went wrong'],
  ])('renders a page without internal details: %s', (error, status, retryAfter, heading) => {
    const response = sendProblemPage(error, null, LOCALES.en);
    expect(response).toMatchObject({ status, retryAfter });
    expect(response.page).toContain(`<h1>${heading}</h1>`);
    expect(response.page).not.toContain('hunter2');
    expect(response.page.includes('http-equiv="refresh"')).toBe(retryAfter !== null);
  });

  test('of a button shows the reason and links back to the payment', () => {
    const response = sendProblemPage(new TerminalError('INVALID_STATE', 'Nothing <is> due'), 'txn_x', LOCALES.en);
    expect(response.status).toBe(409);
    expect(response.page).toContain('Nothing &lt;is&gt; due.');
    expect(response.page).toContain('href="../txn_x?lang=en"');
    expect(response.page).toContain('src="../../checkout/assets/');
  });
});
