import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CRYPTO_SYMBOLS } from '../../../machines/index.ts';
import { checkoutRoutes } from '../../../src/http/checkout/index.ts';
import { LANGUAGES, type Language } from '../../../src/http/checkout/languages/language.ts';
import { LOCALES } from '../../../src/http/checkout/languages/locale.ts';
import { type LinkPageInput, linkPage, pricePage } from '../../../src/http/checkout/links/page.ts';
import type { Offer } from '../../../src/links/index.ts';
import { describeCrypto } from '../../../src/merchants/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { bytesOfImage, IMAGES } from '../../images/samples.ts';
import { describeBrowser, startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { silentLog } from '../../support/service/engine.ts';
import { expectNoViolations, expectToFit, hasEveryPage } from './expect-accessible.ts';
import { BRAND, NO_BRAND } from './samples.ts';

const HOSTILE = `"><script>globalThis.ran = 1</script><img src=x onerror="globalThis.ran = 1">'--></title>`;
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'.repeat(2);

const COINS = CRYPTO_SYMBOLS.map((symbol) => ({
  ...describeCrypto(symbol, 'ethereum-mainnet'),
  amount: '0.00826875',
  feeCents: symbol === 'DOGE' ? 0n : 12n,
  isRecommended: symbol === 'BTC',
}));

/** A link that costs 25 EUR and can be paid in any coin. */
function offer(changes: Partial<Offer> = {}): Offer {
  return {
    mode: 'live',
    title: 'A mug',
    description: 'Blue, 300 ml',
    imageId: null,
    price: { kind: 'fixed', cents: 2_500n },
    currency: 'EUR',
    merchantName: 'Corner Bakery',
    brand: NO_BRAND,
    coins: COINS,
    ...changes,
  };
}

const OPEN_PRICE = { kind: 'open', minCents: 500n, maxCents: 5_000_000n } as const;
const UNPRICED = COINS.map((coin) => ({ ...coin, amount: null }));
/** A link's page, or the page of a price with the parameters of its address. */
type Shown = Omit<LinkPageInput, 'amount'> & { readonly parameters?: Readonly<Record<string, string>> };
const PAGES: Readonly<Record<string, Shown>> = {
  fixed: { offer: offer(), ownUrl: null },
  open: { offer: offer({ price: OPEN_PRICE, mode: 'test', coins: UNPRICED }), ownUrl: null },
  one: { offer: offer({ coins: COINS.slice(0, 1) }), ownUrl: null },
  pictured: { offer: offer({ imageId: 'mug' }), ownUrl: null },
  branded: { offer: offer({ brand: BRAND }), ownUrl: null },
  own: { offer: offer(), ownUrl: 'https://pay.example.com/transaction/txn_1' },
  none: { offer: offer({ coins: [] }), ownUrl: null },
  long: { offer: offer({ title: LONG, description: LONG, merchantName: LONG }), ownUrl: null },
  hostile: { offer: offer({ title: HOSTILE, description: HOSTILE, merchantName: HOSTILE }), ownUrl: null },
  price: { offer: offer({ title: null, merchantName: HOSTILE }), ownUrl: null, parameters: { amount: HOSTILE } },
};

describe('the page of a payment link', () => {
  const pageOf = (changes: Partial<Offer>) =>
    linkPage({ offer: offer(changes), ownUrl: null, amount: '' }, LOCALES.en).replaceAll('\u00a0', ' ');

  test('shows the least amount, also when the shop has set none', () => {
    const least = (minCents: bigint | null, maxCents: bigint | null) =>
      /<small id="bounds">([^<]*)</.exec(pageOf({ price: { kind: 'open', minCents, maxCents }, coins: UNPRICED }))?.[1];
    expect(least(null, null)).toBe('At least 1.00 EUR');
    expect(least(null, 2_000n)).toBe('Between 1.00 EUR and 20.00 EUR');
    expect(least(500n, null)).toBe('At least 5.00 EUR');
  });

  test('says that amounts in coins follow only where it shows none', () => {
    const follows = 'The amount in coins is worked out in the next step.';
    expect(pageOf({})).not.toContain(follows);
    expect(pageOf({ price: OPEN_PRICE, coins: UNPRICED })).toContain(follows);
  });
});

describeBrowser('the page of a payment link in a browser', () => {
  let app: FastifyInstance;
  let url: string;
  let browser: TestBrowser;
  beforeAll(async () => {
    const unused = async () => null;
    const transactions = { get: unused, list: unused, listVersions: unused, simulate: unused } as never;
    app = fastify({ forceCloseConnections: true });
    // For style and script.
    await app.register(checkoutRoutes, { transactions, clock: systemClock, log: silentLog });
    app.get<{ Params: { page: string }; Querystring: { lang: Language } }>('/l/:page', async (request, reply) => {
      const { parameters, ...shown } = PAGES[request.params.page] ?? { offer: offer(), ownUrl: null };
      const { lang } = request.query;
      const page =
        parameters === undefined
          ? linkPage({ ...shown, amount: '' }, LOCALES[lang])
          : pricePage({ ...shown, parameters, lang, acceptLanguage: undefined });
      return reply.type('text/html; charset=utf-8').send(page);
    });
    app.get('/images/logo', (_request, reply) => reply.type('image/png').send(bytesOfImage(IMAGES.PNG)));
    app.get('/images/mug', (_request, reply) => reply.type('image/png').send(bytesOfImage(IMAGES.PNG)));
    url = await app.listen({ host: '127.0.0.1', port: 0 });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  test.each(LANGUAGES)('fits every screen and is accessible in %s', async (language) => {
    for (const name of Object.keys(PAGES)) {
      if (!hasEveryPage(language) && name !== 'open') continue;
      const { page, troubles, close } = await browser.open();
      await page.goto(`${url}/l/${name}?lang=${language}`);
      await expectToFit(page, name, language);
      await expectNoViolations(page, name, { language, hasOwnColours: name === 'open' || name === 'branded' });
      expect(await page.evaluate('globalThis.ran')).toBeUndefined();
      expect(troubles).toEqual([]);
      await close();
    }
  });

  test('is filled in and submitted with the keyboard only, also without script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, close } = await browser.open({ javaScriptEnabled });
      await page.goto(`${url}/l/open?lang=en`);
      await page.locator('#amount').focus();
      await page.keyboard.type('12.50');
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      const sent = page.waitForRequest((request) => request.method() === 'POST');
      await page.keyboard.press('Enter');
      const form = new URLSearchParams((await sent).postData() ?? '');
      expect(form.get('amount')).toBe('12.50');
      expect(CRYPTO_SYMBOLS).toContain(form.get('crypto'));
      await close();
    }
  });
});
