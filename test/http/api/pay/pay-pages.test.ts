import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../../src/http/checkout/languages/choose-language.ts';
import { prefersHtml } from '../../../../src/http/plugins/accept.ts';
import { addLink, type PayParameters, pay } from '../../../links/links-app.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { assertAsyncProperty, assertProperty } from '../../../support/run/fast-check.ts';
import { level } from '../../../support/run/level.ts';
import { type ErrorResponse, expectProblem, useApp } from '../support.ts';

const OF_CHROMIUM =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const TITLE = '<script>alert("1")</script> & Söhne';
/** Errors about the state of a link, which concern the customer only. */
const REJECTIONS = new Map([
  ['PAYMENT_LINK_PAID', 'This payment link has been paid'],
  ['PAYMENT_LINK_EXPIRED', 'This payment link has expired'],
]);

describeDatabases('the pages of GET /pay', (database) => {
  const { app, merchant } = useApp(database);
  const order = (more: PayParameters) => ({ pk: merchant().keys.pk_test, amount: '25', crypto: 'LTC', ...more });

  test('a browser gets every error as a page with the status, code and message of the API', async () => {
    const ended = await addLink(app(), merchant(), { expiresAt: app().clock.now() + 1, title: TITLE });
    const paid = await addLink(app(), merchant(), { title: TITLE });
    await app().connection.db.updateTable('payment_link').set({ uses: 1 }).where('slug', '=', paid.slug).execute();
    app().clock.advance(1);
    const wrong = fc.constantFrom<PayParameters>(
      { amount: '-1' },
      { pk: merchant().keys.sk_live },
      { pk: 'pk_test_<b>' },
      { pk: merchant().keys.pk_live },
      { amount: '"><script>' },
      { amount: '0.5' },
      { crypto: '<b>' },
      { currency: 'JPY' },
      { link: 'nothing' },
      { link: ended.slug },
      { link: paid.slug },
    );
    await assertAsyncProperty(
      fc.asyncProperty(wrong, async (parameters) => {
        const program = await pay(app(), order(parameters));
        const browser = await pay(app(), order(parameters), { accept: OF_CHROMIUM });
        const { error, message } = program.body as ErrorResponse;
        expectProblem(program, program.status, error);
        expect(browser.status).toBe(program.status);
        expect(browser.headers).toMatchObject({
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'content-security-policy': expect.stringContaining("default-src 'none'"),
          'content-length': String(Buffer.byteLength(browser.text)),
        });
        expect(browser.text).toMatch(/^<!doctype html>\n<html lang="en">/);
        expect(browser.text.match(/<h1>/g)).toHaveLength(1);
        // The page layout has one script, a file; no input or merchant text becomes markup.
        expect(browser.text.match(/<script/g)).toHaveLength(1);
        expect(browser.text).not.toContain('<b>');
        const shown = browser.text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
        const text = shown.replaceAll('&#39;', "'").replaceAll('&amp;', '&');
        const rejection = REJECTIONS.get(error);
        for (const words of rejection === undefined ? [message, error] : [rejection, TITLE])
          expect(text).toContain(words);
        expect(text.includes(error)).toBe(rejection === undefined);
        expect(browser.text).not.toContain('http-equiv');
      }),
      { numRuns: level.runs(40) },
    );
  });

  test.each(LANGUAGES)(
    'a browser that prefers %s gets errors in it, unless the URL names another',
    async (language) => {
      const other = language === 'en' ? 'pl' : 'en';
      const wishes: [string | undefined, string | undefined, Language][] = [
        [`${language}, ${other};q=0.5`, undefined, language],
        [other, language, language],
        [language, 'xx', language],
      ];
      for (const parameters of [{ amount: '-1' }, { link: 'nothing' }, { crypto: 'XMR' }, { pk: 'pk_test_unknown' }]) {
        for (const [acceptLanguage, lang, expected] of wishes) {
          const requested = { accept: OF_CHROMIUM, ...(acceptLanguage === undefined ? {} : { acceptLanguage }) };
          const page = await pay(app(), order({ ...parameters, lang }), requested);
          expect(page.status).toBeGreaterThanOrEqual(400);
          expect(page.text).toContain(`<html lang="${expected}">`);
          expect(page.headers.vary).toMatch(/Accept-Language/i);
        }
      }
    },
  );

  test('success redirects programs and browsers to the same place', async () => {
    for (const accept of ['application/json', OF_CHROMIUM, '*/*']) {
      const response = await pay(app(), order({}), { from: '10.9.9.9', accept });
      expect(response.status).toBe(302);
      expect(response.text).toBe('');
    }
  });
});

describeDatabases('GET /pay when the service has to defer', (database) => {
  let isReady = true;
  const { app, merchant } = useApp(database, {
    isReady: () => isReady,
    plans: { anonymous: { perMinute: 3, perHour: 100 }, termsOf: () => Promise.reject(new Error('not asked for')) },
  });
  const order = () => ({ pk: merchant().keys.pk_test, amount: '25', crypto: 'LTC' });

  test('clients are counted per address, and a rejected page retries by itself', async () => {
    const customer = { from: '10.8.0.1' };
    for (let count = 0; count < 3; count += 1) expect((await pay(app(), order(), customer)).status).toBe(302);
    const rejected = await pay(app(), order(), customer);
    expectProblem(rejected, 429, 'RATE_LIMIT_EXCEEDED');
    const page = await pay(app(), order(), { ...customer, accept: 'text/html' });
    expect(page.status).toBe(429);
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.text).toContain(`<meta http-equiv="refresh" content="${page.headers['retry-after']}">`);
    expect((await pay(app(), order(), { from: '10.8.0.2' })).status).toBe(302);
  });

  test('while the service starts, the page waits for it', async () => {
    isReady = false;
    const customer = { from: '10.8.0.3' };
    expectProblem(await pay(app(), order(), customer), 500, 'UPSTREAM_ERROR');
    const page = await pay(app(), order(), { ...customer, accept: 'text/html' });
    expect(page.status).toBe(500);
    expect(page.text).toContain('<meta http-equiv="refresh" content="2">');
    isReady = true;
  });
});

describe('content negotiation', () => {
  test.each([
    [OF_CHROMIUM, true],
    ['text/html', true],
    ['TEXT/HTML;charset=utf-8', true],
    ['application/xhtml+xml', true],
    ['application/json, text/html', true],
    ['text/html;q=0.5, application/json;q=0.4', true],
    ['text/html;q=0.5, application/json', false],
    ['text/html;q=0', false],
    ['text/html;q=many', false],
    ['application/json', false],
    ['*/*', false],
    ['text/*', false],
    ['', false],
    [undefined, false],
  ])('%s: %s', (accept, expected) => {
    expect(prefersHtml(accept)).toBe(expected);
  });

  test('the larger of two weights decides, in any order, and a page needs one above zero', () => {
    const weight = fc.integer({ min: 0, max: 1_000 });
    assertProperty(
      fc.property(weight, weight, fc.boolean(), (html, json, isHtmlFirst) => {
        const parts = [`text/html;q=${(html / 1_000).toFixed(3)}`, `application/json; q=${(json / 1_000).toFixed(3)}`];
        const accept = (isHtmlFirst ? parts : parts.toReversed()).join(', ');
        expect(prefersHtml(accept)).toBe(html > 0 && html >= json);
      }),
    );
  });
});
