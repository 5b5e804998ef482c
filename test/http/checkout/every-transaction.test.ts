import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ASSETS,
  CRYPTO_SYMBOLS,
  FIAT_CURRENCIES,
  formatCoins,
  PAYMENT_STATUSES,
  PUBLIC_STATES,
  parseCoins,
} from '../../../machines/index.ts';
import { LANGUAGES } from '../../../src/http/checkout/languages/choose-language.ts';
import { LOCALES } from '../../../src/http/checkout/languages/locales.ts';
import { paymentPage, updateOf } from '../../../src/http/checkout/pages/payment.ts';
import { SCREENS, screenOf } from '../../../src/http/checkout/screen.ts';
import type { CustomerView } from '../../../src/payments/index.ts';
import { escapeHtml } from '../../../src/platform/text.ts';
import { CHAIN_ADDRESSING, NETWORK_KINDS, paymentUri } from '../../../src/wallets/index.ts';
import { assertProperty, textOfAnyCharacters } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { NOW, sampleTransaction } from './samples.ts';
import { codesOf } from './scan.ts';

const DAY_MS = 86_400_000;

const hostile = fc.oneof(
  textOfAnyCharacters({ minLength: 1 }),
  fc.constantFrom('<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "'</main>", '&amp;', '<!--'),
);
const decimal = fc.stringMatching(/^(0|[1-9][0-9]{0,6})(\.[0-9]{0,5}[1-9])?$/);
const timestamp = fc.integer({ min: NOW - 40 * DAY_MS, max: NOW + DAY_MS });
/** Mostly open windows, with and without the clock shown. */
const soon = fc.integer({ min: NOW + 1, max: NOW + DAY_MS / 96 });
const address = fc.stringMatching(/^[13a-zA-Z0-9]{26,62}$/);

const payment = fc.record({
  txid: fc.option(fc.stringMatching(/^[0-9a-f]{64}$/)),
  amount: decimal,
  confirmations: fc.nat(60),
  status: fc.constantFrom(...PAYMENT_STATUSES),
  isReplaced: fc.boolean(),
  isDeclined: fc.boolean(),
  missedDeadline: fc.boolean(),
  detectedAt: timestamp,
});

const labels = fc.record({
  exception: fc.constantFrom(null, null, null, 'paid_late', 'needs_review'),
  expiresAt: fc.oneof(timestamp, soon, soon),
  clockOffsetMs: fc.constantFrom(0, 0, 0, DAY_MS),
  isSimulated: fc.boolean(),
  syncedUntil: fc.option(fc.oneof(timestamp, fc.constant(NOW))),
  tipHeight: fc.option(fc.nat()),
  mode: fc.constantFrom('live', 'test'),
  storeName: hostile,
  orderId: fc.option(hostile),
  depositAddress: address,
  amountFiat: decimal,
  currencyFiat: fc.constantFrom(...FIAT_CURRENCIES),
  exchangeRate: decimal,
  fiatToUsdRate: decimal,
  confirmationsRequired: fc.integer({ min: 1, max: 40 }),
  payments: fc.array(payment, { maxLength: 4 }),
  successUrl: fc.option(fc.oneof(hostile, fc.webUrl())),
  cancelUrl: fc.option(fc.oneof(hostile, fc.webUrl())),
  createdAt: timestamp,
  completedAt: fc.option(timestamp),
  completedBy: fc.constantFrom(null, 'chain', 'merchant'),
  loss: fc.constantFrom(null, 'unconfirmed', 'gone', 'gone_settled'),
  surplus: fc.option(
    fc.record({
      isSettled: fc.boolean(),
      baseUnits: fc.bigInt(1n, 10n ** 20n).map(String),
      missedDeadline: fc.constantFrom('all', 'some', 'none'),
    }),
  ),
} satisfies { [K in keyof CustomerView]?: fc.Arbitrary<CustomerView[K]> });

/** A transaction in any public state, with consistent amounts and payment link. */
const transaction = fc
  .tuple(
    labels,
    fc.constantFrom(...Object.values(PUBLIC_STATES)),
    fc.constantFrom(...CRYPTO_SYMBOLS),
    fc.constantFrom(...NETWORK_KINDS),
    fc.bigInt({ min: 1n, max: 10n ** 24n }),
    fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 24n })),
    fc.option(fc.constant('0xdAC17F958D2ee523a2206206994597C13D831ec7')),
  )
  .map(([rest, state, crypto, kind, due, paid, tokenContract]): CustomerView => {
    const asset = ASSETS[crypto];
    const left = due > paid ? due - paid : 0n;
    const link = { asset, networkKind: kind, address: rest.depositAddress, amountBaseUnits: left, tokenContract };
    return sampleTransaction({
      ...rest,
      status: state.status,
      exception: state.exception ?? rest.exception,
      crypto,
      network: { chain: asset.chain, chainName: CHAIN_ADDRESSING[asset.chain].name, kind },
      amountDue: formatCoins(due, asset.decimals),
      amountPaid: formatCoins(paid, asset.decimals),
      amountRemaining: formatCoins(left, asset.decimals),
      amountExcess: formatCoins(paid > due ? paid - due : 0n, asset.decimals),
      paymentUri: (asset.type === 'token' && tokenContract === null) || left === 0n ? null : paymentUri(link),
    });
  });

/**
 * Text without markup, references, and tags with double-quoted attributes: everything a page may
 * consist of.
 */
const WELL_FORMED =
  /^(?:[^<>&]|&(?:amp|lt|gt|quot|#39);|<!doctype html>|<\/?[a-z][a-z0-9]*(?: [a-z-]+(?:="[^"<>]*")?)*\/?>)*$/i;

const language = fc.constantFrom(...LANGUAGES);

describe('for any transaction, in every language', () => {
  test('the page is complete: nothing missing, nothing unescaped', () => {
    assertProperty(
      fc.property(transaction, language, (sample, spoken) => {
        const locale = LOCALES[spoken];
        const page = paymentPage(sample, NOW, locale);
        const outside = [sample.storeName, sample.orderId, sample.successUrl, sample.cancelUrl].flatMap((text) =>
          text === null ? [] : [escapeHtml(text)],
        );
        const own = outside
          .sort((a, b) => b.length - a.length)
          .reduce((rest, text) => rest.replaceAll(text, () => ''), page);
        expect(own).not.toMatch(/undefined|NaN|Infinity|\[object|Invalid|\bnull\b|function|=>/);
        expect(page).toMatch(WELL_FORMED);
        expect(page.match(/<script/g)).toHaveLength(1);
        // The text in the template takes the place of the heading.
        const [, inside] = page.split(/<template id="window-over">|<\/template>/);
        expect((page.match(/<h1>/g) ?? []).length).toBe(inside === undefined ? 1 : 2);
        expect(inside?.match(/<h1>/g) ?? ['one']).toHaveLength(1);
        expect(page).toContain(`<bdi>${escapeHtml(sample.storeName)}</bdi>`);
        expect(page).toContain(updateOf(sample, NOW, locale).html);
      }),
      { numRuns: level.runs(400) },
    );
  });

  test('the codes contain the address and exactly the amount due, and appear on no page that accepts no coins', () => {
    assertProperty(
      fc.property(transaction, language, (sample, spoken) => {
        const page = paymentPage(sample, NOW, LOCALES[spoken]);
        const takesCoins = page.includes('id="amount-label"');
        expect(page.includes(sample.depositAddress)).toBe(takesCoins);
        const link = sample.paymentUri === null ? [] : [sample.paymentUri];
        expect(codesOf(page)).toEqual(takesCoins ? [...link, sample.depositAddress] : []);
        if (!takesCoins) return;
        const [, copied = ''] = /id="copy-amount" data-copy="([^"]*)"/.exec(page) ?? [];
        const { decimals } = ASSETS[sample.crypto];
        const remaining = parseCoins(sample.amountRemaining, decimals);
        // In German and Spanish it may have one more zero.
        expect(parseCoins(copied, decimals + 1)).toBe(remaining * 10n);
        const [, title = null, shown = ''] = /class="digits">(?:<span title="([^"]*)">)?([\d.]+)</.exec(page) ?? [];
        expect(title ?? shown).toBe(copied);
        const extra = parseCoins(shown, decimals + 1) - remaining * 10n;
        expect(extra >= 0n && extra * 10n ** 8n < 10n ** BigInt(decimals + 1)).toBe(true);
      }),
      { numRuns: level.runs(100) },
    );
  });

  test('the transactions above cover every screen, and many of them have a code', () => {
    const samples = fc.sample(transaction, { seed: 20261121, numRuns: 1_000 });
    expect([...new Set(samples.map((sample) => screenOf(sample, NOW)))].sort()).toEqual([...SCREENS].sort());
    const pages = samples.map((sample) => paymentPage(sample, NOW, LOCALES.en));
    expect(pages.filter((page) => page.includes('class="code"')).length).toBeGreaterThan(50);
  });

  test.each(['<p>a & b</p>', '<p title=x>', '<p>a > b</p>', '<p>a < b</p>', '<p title="<b>">', '<p title="a"b">'])(
    '%s is recognised as malformed',
    (markup) => {
      expect(markup).not.toMatch(WELL_FORMED);
    },
  );
});
