import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CRYPTO_SYMBOLS } from '../../../machines/index.ts';
import { checkoutRoutes } from '../../../src/http/checkout/index.ts';
import { LANGUAGES, type Language } from '../../../src/http/checkout/languages/choose-language.ts';
import { LOCALES } from '../../../src/http/checkout/languages/locales.ts';
import { type LinkPageInput, linkPage, pricePage } from '../../../src/http/checkout/links/page.ts';
import { type RejectedLinkInput, rejectedLinkPage } from '../../../src/http/checkout/links/rejected-page.ts';
import type { LinkRejection, Offer } from '../../../src/links/index.ts';
import { describeCrypto } from '../../../src/merchants/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { bytesOfImage, IMAGES } from '../../images/samples.ts';
import { describeBrowser, startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { silentLog } from '../../support/silent-log.ts';
import { expectNoViolations, expectToFit, hasEveryPage } from './expect-accessible.ts';
import { BRAND, NO_BRAND, NOW } from './samples.ts';

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

const OWN_URL = 'https://pay.example.com/transaction/txn_1';
const OPEN_PRICE = { kind: 'open', minCents: 500n, maxCents: 5_000_000n } as const;
const UNPRICED = COINS.map((coin) => ({ ...coin, amount: null }));
/** A link's page, or the page of a price with the parameters of its address. */
type Shown = Omit<LinkPageInput, 'amount'> & { readonly parameters?: Readonly<Record<string, string>> };
const LINK = {
  title: 'A mug',
  mode: 'live',
  maxUses: 1,
  expiresAt: null,
} as const;
const PAGES: Readonly<Record<string, Shown>> = {
  fixed: { offer: offer(), own: null },
  open: { offer: offer({ price: OPEN_PRICE, mode: 'test', coins: UNPRICED }), own: null },
  one: { offer: offer({ coins: COINS.slice(0, 1) }), own: null },
  pictured: { offer: offer({ imageId: 'mug' }), own: null },
  branded: { offer: offer({ brand: BRAND }), own: null },
  own: { offer: offer(), own: { url: OWN_URL, isInProgress: false, isLate: false } },
  none: { offer: offer({ coins: [] }), own: null },
  long: { offer: offer({ title: LONG, description: LONG, merchantName: LONG }), own: null },
  hostile: { offer: offer({ title: HOSTILE, description: HOSTILE, merchantName: HOSTILE }), own: null },
  price: { offer: offer({ title: null, merchantName: HOSTILE }), own: null, parameters: { amount: HOSTILE } },
};

/** Pages of links that open no payment. */
const REJECTED: Readonly<Record<string, Omit<RejectedLinkInput, 'offersLanguages' | 'lang' | 'acceptLanguage'>>> = {
  paid: rejected('paid'),
  used: rejected('paid', { link: { ...LINK, maxUses: 20 } }),
  paying: rejected('being_paid', { shop: { merchantName: 'Corner Bakery', brand: BRAND } }),
  mine: rejected('being_paid', { own: { url: OWN_URL, isInProgress: true, isLate: false } }),
  expired: rejected('expired', { link: { ...LINK, title: HOSTILE, expiresAt: NOW } }),
  unfinished: rejected('expired', { own: { url: OWN_URL, isInProgress: false, isLate: false } }),
  closed: rejected('closed', {
    link: { ...LINK, title: LONG, mode: 'test' },
    shop: { merchantName: LONG, brand: BRAND },
  }),
};

function rejected(rejection: LinkRejection, changes: Partial<RejectedLinkInput> = {}) {
  return { rejection, link: LINK, shop: { merchantName: 'Corner Bakery', brand: NO_BRAND }, own: null, ...changes };
}

function rejectedPage(name: string, lang: Language): string {
  const input = REJECTED[name] ?? rejected('paid');
  return rejectedLinkPage({ ...input, offersLanguages: true, lang, acceptLanguage: undefined });
}

describe('the page of a link that opens no payment', () => {
  test.each(LANGUAGES)('says something else in each case, in %s', (language) => {
    const headings = Object.keys(REJECTED).map((name) => /<h1>([^<]*)</.exec(rejectedPage(name, language))?.[1]);
    // An expired link has the same heading, whether the customer has a payment of it or not.
    expect(new Set(headings).size).toBe(headings.length - 1);
  });

  test('leads to a payment only where it would not be one too many', () => {
    const leads = (rejection: LinkRejection, isInProgress: boolean) => {
      const input = rejected(rejection, { own: { url: OWN_URL, isInProgress, isLate: false } });
      const page = rejectedLinkPage({ ...input, offersLanguages: true, lang: 'en', acceptLanguage: undefined });
      return page.includes(`href="${OWN_URL}"`);
    };
    for (const rejection of ['paid', 'being_paid', 'expired', 'closed'] as const) {
      expect([rejection, leads(rejection, true)]).toEqual([rejection, true]);
      expect([rejection, leads(rejection, false)]).toEqual([
        rejection,
        rejection === 'expired' || rejection === 'closed',
      ]);
    }
  });

  test('says to a late payer that another payment is being confirmed, and leads to theirs', () => {
    const input = rejected('being_paid', { own: { url: OWN_URL, isInProgress: true, isLate: true } });
    const page = rejectedLinkPage({ ...input, offersLanguages: true, lang: 'en', acceptLanguage: undefined });
    expect(page).toContain(LOCALES.en.texts.rejectedLink.beingPaid.heading);
    expect(page).not.toContain(LOCALES.en.texts.recurring.pay.inProgress.heading);
    expect(page).toContain(`href="${OWN_URL}"`);
  });

  test('says until when an expired one was open', () => {
    expect(rejectedPage('expired', 'en')).toContain(
      '<time datetime="2026-11-21T10:00:00.000Z">21 Nov 2026, 10:00 UTC</time>',
    );
    for (const name of ['paid', 'paying', 'closed']) expect(rejectedPage(name, 'en')).not.toContain('<time');
  });
});

describe('the page of a payment link', () => {
  const pageOf = (changes: Partial<Offer>) =>
    linkPage({ offer: offer(changes), own: null, amount: '' }, LOCALES.en).replaceAll('\u00a0', ' ');

  test('has one main button: below the way to a payment that is open already, the other is secondary', () => {
    const own = { url: OWN_URL, isInProgress: false, isLate: false };
    const page = linkPage({ offer: offer(), own, amount: '' }, LOCALES.en);
    expect(page).toContain('<button class="button second" id="pay">');
    expect(page).toContain('<a class="button" id="go"');
    expect(pageOf({})).toContain('<button class="button" id="pay">');
  });

  test('shows the least amount, also when the shop has set none', () => {
    const least = (minCents: bigint | null, maxCents: bigint | null) =>
      /<small id="bounds">([^<]*)</.exec(pageOf({ price: { kind: 'open', minCents, maxCents }, coins: UNPRICED }))?.[1];
    expect(least(null, null)).toBe('At least 1.00 EUR');
    expect(least(null, 2_000n)).toBe('Between 1.00 EUR and 20.00 EUR');
    expect(least(500n, null)).toBe('At least 5.00 EUR');
  });

  test('says that amounts in coins follow only where it shows none', () => {
    const follows = 'The amount in coins is calculated in the next step.';
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
      const { lang } = request.query;
      const { page: name } = request.params;
      reply.type('text/html; charset=utf-8');
      if (name in REJECTED) return rejectedPage(name, lang);
      const { parameters, ...shown } = PAGES[name] ?? { offer: offer(), own: null };
      const page =
        parameters === undefined
          ? linkPage({ ...shown, amount: '' }, LOCALES[lang])
          : pricePage({ ...shown, parameters, lang, acceptLanguage: undefined });
      return page;
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
    const { page, troubles, close } = await browser.open();
    for (const name of [...Object.keys(PAGES), ...Object.keys(REJECTED)]) {
      if (!hasEveryPage(language) && name !== 'open') continue;
      await page.goto(`${url}/l/${name}?lang=${language}`);
      await expectToFit(page, name, language);
      await expectNoViolations(page, name, { language, hasOwnColours: name === 'open' || name === 'branded' });
      expect(await page.evaluate('globalThis.ran')).toBeUndefined();
      expect([name, troubles]).toEqual([name, []]);
    }
    await close();
  });

  test('asks for a coin without an error about the coins that are folded away', async () => {
    const { page, troubles, close } = await browser.open();
    await page.goto(`${url}/l/fixed?lang=en`);
    expect(await page.locator('details.more input:required').count()).toBeGreaterThan(0);
    await page.click('#pay');
    await page.waitForFunction("document.activeElement.name === 'crypto'");
    expect(troubles).toEqual([]);
    expect(page.url()).toBe(`${url}/l/fixed?lang=en`);
    await close();
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
