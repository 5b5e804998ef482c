import { beforeEach, describe, expect, test } from 'vitest';
import { CRYPTO_SYMBOLS } from '../../../../machines/index.ts';
import { TerminalError } from '../../../../src/platform/errors.ts';
import { horizontalOverflow, type WatchedPage } from '../../../support/browser/browser.ts';
import { describePages } from '../../../support/browser/describe-pages.ts';
import { level } from '../../../support/run/level.ts';
import { newToken, samplePeriod, sampleSchedule, startRecurringApp } from './recurring-app.ts';

const HOSTILE = `"><script>globalThis.ran = 1</script><img src=x onerror="globalThis.ran = 1">'--></title>`;

describePages('the pages of recurring requests in a browser', startRecurringApp, (app, browser) => {
  beforeEach(() => {
    app.requests.failWith(null);
    app.requests.opened.length = 0;
  });

  const urlOf = (purpose: string, token: string) => `${app.url}/recurring/${purpose}/${token}`;
  const headingOf = ({ page }: WatchedPage) => page.locator('h1').innerText();
  const expectQuiet = ({ troubles, requests }: WatchedPage) => {
    expect(troubles).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(app.url))).toEqual([]);
  };

  // At the quick level recurring-routes.test.ts and recurring-languages.test.ts cover the forms
  // without script.
  describe.each(level.pick({ quick: [true], full: [true, false] }))('with script: %s', (javaScriptEnabled) => {
    test('a customer confirms, and the same URL shows that from then on', async () => {
      const token = app.requests.addSchedule('confirm', sampleSchedule());
      const watched = await browser.open({ javaScriptEnabled });
      const { page } = watched;
      await page.goto(urlOf('confirm', token));
      expect(await headingOf(watched)).toBe('Do you agree to these requests?');
      await page.click('#confirm');
      expect(await headingOf(watched)).toBe('Confirmed');
      expect(page.url()).toBe(urlOf('confirm', token));
      await page.reload();
      expect(await headingOf(watched)).toBe('Confirmed');
      expect(app.requests.scheduleOf(token)?.status).toBe('active');
      expectQuiet(watched);
      await watched.close();
    });

    test('a customer stops the requests, and the same URL shows that from then on', async () => {
      const token = app.requests.addSchedule('stop', sampleSchedule({ status: 'active' }));
      const watched = await browser.open({ javaScriptEnabled });
      const { page } = watched;
      await page.goto(urlOf('stop', token));
      expect(await headingOf(watched)).toBe('Stop these requests?');
      await page.click('#stop');
      expect(await headingOf(watched)).toBe('These requests are stopped');
      await page.goto(urlOf('stop', token));
      expect(await headingOf(watched)).toBe('These requests are stopped');
      expect(await page.locator('form').count()).toBe(0);
      expectQuiet(watched);
      await watched.close();
    });

    test('a customer chooses a coin, opens the payment, and resumes the same one later', async () => {
      const token = app.requests.addPeriod(samplePeriod());
      const watched = await browser.open({ javaScriptEnabled });
      const { page } = watched;
      await page.goto(urlOf('pay', token));
      expect(await headingOf(watched)).toBe('Pay 25.00 EUR');
      await page.click('#pay');
      expect(page.url()).toBe(urlOf('pay', token));
      expect(app.requests.opened).toEqual([]);
      await page.getByLabel('Litecoin').check();
      await page.click('#pay');
      const [id] = app.requests.opened;
      await page.waitForURL(`${app.url}/transaction/${id}`);
      await page.goto(urlOf('pay', token));
      await page.click('#go');
      await page.waitForURL(`${app.url}/transaction/${id}`);
      expect(app.requests.opened).toEqual([id]);
      await page.goto(urlOf('pay', token));
      await page.click('#another-summary');
      await page.getByLabel('Tether USD').check();
      await page.click('#pay');
      expect(app.requests.opened).toHaveLength(2);
      await page.waitForURL(`${app.url}/transaction/${app.requests.opened[1]}`);
      expectQuiet(watched);
      await watched.close();
    });
  });

  test('a page left open while the period was paid redirects to the receipt', async () => {
    const token = app.requests.addPeriod(samplePeriod({ cryptos: ['LTC'] }));
    const watched = await browser.open();
    const { page } = watched;
    await page.goto(urlOf('pay', token));
    app.requests.changePeriod(token, { status: 'paid', transactionId: 'txn_paid', cryptos: [] });
    await page.click('#pay');
    expect(await headingOf(watched)).toBe('That is no longer possible');
    await page.click('#back');
    expect(await headingOf(watched)).toBe('Paid. Thank you');
    expect(await page.locator('#go').innerText()).toBe('View the receipt');
    await watched.close();
  });

  test('everything can be reached and used with the keyboard only', async () => {
    const token = app.requests.addPeriod(samplePeriod());
    const watched = await browser.open();
    const { page } = watched;
    await page.goto(urlOf('pay', token));
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("details").id')).toBe('languages');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await page.getByLabel('Litecoin').isChecked()).toBe(true);
    const outline = "getComputedStyle(document.activeElement.closest('label')).outlineStyle";
    expect(await page.evaluate(outline)).toBe('solid');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('pay');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/transaction\//);
    expect(app.requests.opened).toHaveLength(1);
    await watched.close();
  });

  test('malicious names are shown as text', async () => {
    const schedule = sampleSchedule({ merchantName: HOSTILE, description: HOSTILE });
    const active = { ...schedule, status: 'active' } as const;
    const pages = [
      urlOf('confirm', app.requests.addSchedule('confirm', schedule)),
      urlOf('stop', app.requests.addSchedule('stop', schedule)),
      urlOf('pay', app.requests.addPeriod(samplePeriod({ schedule: active }))),
    ];
    const watched = await browser.open();
    for (const url of pages) {
      await watched.page.goto(url);
      expect(await watched.page.locator('.store').innerText()).toBe(HOSTILE);
      expect(await watched.page.locator('.terms bdi').innerText()).toBe(HOSTILE);
      expect(await watched.page.title()).toContain(HOSTILE);
      expect(await watched.page.evaluate('globalThis.ran')).toBeUndefined();
    }
    expectQuiet(watched);
    await watched.close();
  });

  test('pages have no horizontal overflow, readable text, one heading, and labels for all inputs', async () => {
    const long = { merchantName: 'W'.repeat(120), description: `${'Unbreakable'.repeat(20)} and so on` };
    const schedule = sampleSchedule({ ...long, amountFiat: '123456789.99', isTest: true, maxPeriods: 120 });
    const active = { ...schedule, status: 'active', nextDueAt: Date.UTC(2027, 8, 30) } as const;
    const cryptos = [...CRYPTO_SYMBOLS];
    const pages = [
      urlOf('confirm', app.requests.addSchedule('confirm', schedule)),
      urlOf('confirm', app.requests.addSchedule('confirm', active)),
      urlOf('stop', app.requests.addSchedule('stop', active)),
      urlOf('pay', app.requests.addPeriod(samplePeriod({ schedule: active, cryptos }))),
      urlOf('pay', app.requests.addPeriod(samplePeriod({ schedule: active, cryptos: ['PEPE'] }))),
      urlOf('pay', app.requests.addPeriod(samplePeriod({ schedule: active, transactionId: 'txn_open' }))),
      urlOf('stop', newToken()),
    ];
    const watched = await browser.open();
    const { page } = watched;
    for (const url of pages) {
      await page.goto(url);
      for (const [width, colorScheme] of [
        [320, 'light'],
        [320, 'dark'],
        [1_280, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        expect(await horizontalOverflow(page)).toBe(0);
        expect(await page.locator('h1').count()).toBe(1);
        expect(await page.locator('main').count()).toBe(1);
        expect(await page.evaluate(UNNAMED)).toEqual([]);
        expect(await page.evaluate(TOO_PALE)).toEqual([]);
        expect(await page.evaluate(TOO_SMALL)).toEqual([]);
      }
    }
    await watched.close();
  });

  test('when the shop cannot be paid, the page says so and links back', async () => {
    const token = app.requests.addPeriod(samplePeriod({ cryptos: ['LTC'] }));
    const watched = await browser.open();
    await watched.page.goto(urlOf('pay', token));
    app.requests.failWith(new TerminalError('MONTHLY_LIMIT_REACHED', 'The starter plan includes 50 payments'));
    await watched.page.click('#pay');
    expect(await headingOf(watched)).toBe('This shop cannot accept payments at the moment');
    app.requests.failWith(null);
    await watched.page.click('#back');
    expect(await headingOf(watched)).toBe('Pay 25.00 EUR');
    await watched.close();
  });
});

// Helpers: what runs inside the page, as text, because the project has no types of a browser.

/** Controls without a name (WCAG 2.2, 4.1.2). */
const UNNAMED = `[...document.querySelectorAll('button, a, input, summary')]
  .filter((part) => !(part.textContent || [...(part.labels ?? [])].map((label) => label.textContent).join('')).trim())
  .map((part) => part.outerHTML)`;

/** Click targets lower than 44 px; for a radio button, its label. */
const TOO_SMALL = `[...document.querySelectorAll('button, a.button, .choices label, summary')]
  .filter((part) => part.checkVisibility() && part.getBoundingClientRect().height < 44)
  .map((part) => part.outerHTML)`;

/** Texts with a contrast below 4.5 to their background (WCAG 2.2, 1.4.3). */
const TOO_PALE = `(() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (part) => {
    for (let element = part; element; element = element.parentElement) {
      const colour = numbers(getComputedStyle(element).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll('body *')]
    .filter((part) => part.checkVisibility() && [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((part) => {
      const [one, other] = [light(numbers(getComputedStyle(part).color)), light(behind(part))];
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) < 4.5;
    })
    .map((part) => part.outerHTML);
})()`;
