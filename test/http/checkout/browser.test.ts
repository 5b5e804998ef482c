import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { describeBrowser, startBrowser, type TestBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { POLLING } from '../../support/polling.ts';
import { type CheckoutApp, STORE_NAME, startCheckoutApp } from './checkout-app.ts';

/** After this long without an event, the page asks for its state. */
const POLL_MS = 6_000;

describeBrowser('the payment page in a browser', () => {
  let app: CheckoutApp;
  let browser: TestBrowser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startCheckoutApp(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const urlOf = (id: string) => `${app.url}/transaction/${id}`;
  const headingOf = ({ page }: WatchedPage) => page.locator('h1').innerText();
  const shows = (watched: WatchedPage, heading: string) =>
    vi.waitFor(async () => expect(await headingOf(watched)).toContain(heading), POLLING);

  // The server sends changes once a second: these tests wait for them side by side.
  test.concurrent('updates from waiting over seen to paid without a reload', async () => {
    const id = await app.create({ successUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' });
    const [follower, buttons] = [await browser.open(), await browser.open()];
    await follower.page.goto(urlOf(id));
    await follower.page.evaluate('globalThis.wasNotLoadedAgain = true');
    await shows(follower, 'Pay 25.00 EUR');
    await buttons.page.goto(urlOf(id));
    await buttons.page.click('#simulate-pay_partial');
    await shows(follower, 'is still missing');
    await buttons.page.click('#simulate-pay');
    await shows(follower, 'Your payment is on its way');
    expect(await follower.page.locator('progress').getAttribute('value')).toBe('0');
    await buttons.page.click('#simulate-confirm');
    await shows(follower, 'Paid');
    await vi.waitFor(
      async () => expect(await follower.page.locator('#announcement').innerText()).toContain('Paid'),
      POLLING,
    );
    expect(await follower.page.title()).toContain('Paid');
    expect(await follower.page.locator('#back').getAttribute('href')).toBe('https://shop.example/thanks');
    expect(await follower.page.evaluate('globalThis.wasNotLoadedAgain')).toBe(true);
    for (const watched of [follower, buttons]) {
      expect(watched.troubles).toEqual([]);
      expect(watched.requests.filter((url) => !url.startsWith(app.url))).toEqual([]);
      await watched.close();
    }
  });

  test.concurrent('polls its state when the event stream is disconnected', async () => {
    const id = await app.create();
    const watched = await browser.open({ isOwn: true });
    await watched.page.clock.install();
    await watched.page.route('**/events*', (route) => route.fulfill({ status: 503 }));
    await watched.page.goto(urlOf(id));
    await app.transactions.simulate(id, { action: 'pay' });
    await watched.page.clock.fastForward(POLL_MS);
    await shows(watched, 'Your payment is on its way');
    expect(watched.requests.some((url) => url.endsWith('/state?lang=en'))).toBe(true);
    await watched.close();
  });

  test.concurrent('polls its state when a proxy buffers the event stream', async () => {
    const id = await app.create();
    const proxy = await startSilentProxy(app.url);
    const watched = await browser.open({ isOwn: true });
    await watched.page.clock.install();
    await watched.page.goto(`${proxy.url}/transaction/${id}`);
    await vi.waitFor(() => expect(proxy.heldBack()).toBe(1), POLLING);
    await app.transactions.simulate(id, { action: 'pay' });
    await watched.page.clock.fastForward(POLL_MS);
    await shows(watched, 'Your payment is on its way');
    expect(proxy.heldBack()).toBe(1);
    await watched.close();
    await proxy.stop();
  });

  test.concurrent("uses the browser's language, or another one at its own URL, through every change", async () => {
    const id = await app.create({ successUrl: 'https://shop.example/thanks' });
    const watched = await browser.open({ locale: 'de-AT' });
    const { page } = watched;
    await page.goto(urlOf(id));
    await shows(watched, '25,00 EUR bezahlen');
    await page.click('#languages summary');
    await page.click('#languages a[lang=pl]');
    await shows(watched, 'Do zapłaty: 25,00 EUR');
    expect(page.url()).toBe(`${urlOf(id)}?lang=pl`);
    expect(await page.locator('html').getAttribute('lang')).toBe('pl');
    await app.transactions.simulate(id, { action: 'pay_partial' });
    await shows(watched, 'Brakuje jeszcze');
    await page.click('#simulate-pay');
    await shows(watched, 'Płatność jest w drodze');
    expect(page.url()).toBe(`${urlOf(id)}?lang=pl`);
    await app.transactions.simulate(id, { action: 'confirm' });
    await shows(watched, 'Zapłacono');
    await vi.waitFor(
      async () => expect(await page.locator('#announcement').innerText()).toContain('Potwierdzono'),
      POLLING,
    );
    expect(await page.locator('#back').innerText()).toBe('Powrót do sklepu');
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test.concurrent('keeps focus, selected code and expanded details when it updates', async () => {
    const id = await app.create();
    const watched = await browser.open();
    const { page } = watched;
    await page.goto(urlOf(id));
    await page.click('#details-summary');
    await page.click('label[for=code-address]');
    await page.focus('#copy-address');
    await app.transactions.simulate(id, { action: 'pay_partial' });
    await shows(watched, 'is still missing');
    expect(await page.evaluate('document.activeElement.id')).toBe('copy-address');
    expect(await page.isChecked('#code-address')).toBe(true);
    expect(await page.locator('#details').getAttribute('open')).not.toBeNull();
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('copies amount, address and transaction id exactly', async () => {
    const id = await app.create();
    const { depositAddress, amountDue } = (await app.transactions.get(id)) ?? {};
    const watched = await browser.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = watched;
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await page.goto(urlOf(id));
    await page.click('#copy-amount');
    await vi.waitFor(async () => expect(await copied()).toBe(amountDue), POLLING);
    expect(await page.locator('#copy-amount').innerText()).toBe('Copied');
    await page.click('.address .text');
    await vi.waitFor(async () => expect(await copied()).toBe(depositAddress), POLLING);
    await page.click('.number');
    await vi.waitFor(async () => expect(await copied()).toBe(amountDue), POLLING);
    await app.transactions.simulate(id, { action: 'pay' });
    await page.reload();
    await shows(watched, 'Your payment is on its way');
    const txid = (await app.transactions.get(id))?.payments[0]?.txid;
    await page.click('#copy-txid-0');
    await vi.waitFor(async () => expect(await copied()).toBe(txid), POLLING);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test("shows the last minutes by the server's clock, not the device's", async () => {
    const id = await app.create();
    await app.transactions.simulate(id, { action: 'advance_clock', seconds: 27 * 60 });
    const watched = await browser.open({ isOwn: true });
    await watched.page.clock.install({ time: new Date('2031-05-05T05:05:05Z') });
    await watched.page.goto(urlOf(id));
    expect(await watched.page.locator('#timer').isVisible()).toBe(true);
    expect(await watched.page.locator('#time-left').innerText()).toMatch(/^[23]:\d\d$/);
    await watched.close();
  });

  test('corrects the countdown after the device slept', async () => {
    const id = await app.create();
    await app.transactions.simulate(id, { action: 'advance_clock', seconds: 27 * 60 });
    const watched = await browser.open({ isOwn: true });
    // In a sleep the wall clock goes on and the page's own clock does not.
    await watched.page.addInitScript(`
      const now = performance.now.bind(performance);
      let sleptMs = 0;
      performance.now = () => now() - sleptMs;
      globalThis.sleep = (ms) => { sleptMs += ms; };
    `);
    await watched.page.goto(urlOf(id));
    const timeLeft = () => watched.page.locator('#time-left').innerText();
    expect(await timeLeft()).toMatch(/^[23]:\d\d$/);
    await watched.page.evaluate("document.getElementById('timer').dataset.outdated = ''; sleep(90_000)");
    await vi.waitFor(async () => expect(await watched.page.locator('[data-outdated]').count()).toBe(0), POLLING);
    expect(await timeLeft()).toMatch(/^[23]:\d\d$/);
    await app.transactions.simulate(id, { action: 'pay' });
    await shows(watched, 'Your payment is on its way');
    await watched.close();
  });

  test('stops asking for money at the end of the window while offline, and recovers', async () => {
    const id = await app.create();
    await app.transactions.simulate(id, { action: 'advance_clock', seconds: 27 * 60 });
    const watched = await browser.open({ isOwn: true });
    const { page } = watched;
    await page.clock.install();
    await page.goto(urlOf(id));
    await shows(watched, 'Pay 25.00 EUR');
    await page.context().setOffline(true);
    await page.clock.fastForward(POLL_MS);
    await vi.waitFor(async () => expect(await page.locator('#connection').isVisible()).toBe(true), POLLING);
    const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN;
    expect(await topOf('#connection')).toBeLessThan(await topOf('#payment'));
    expect(await page.locator('#open-wallet').isVisible()).toBe(true);
    await page.clock.fastForward(4 * 60_000);
    await shows(watched, 'Checking the network');
    expect(await page.locator('#pay-panel, .code, .amount, .address, #open-wallet, #timer').count()).toBe(0);
    const text = await page.locator('#payment').innerText();
    expect(text).toContain('Please do not send anything now.');
    expect(text).not.toMatch(/Send exactly|Pay 25/);
    expect(await page.title()).toContain('Checking the network');
    expect(await page.locator('#connection').isVisible()).toBe(true);
    await page.context().setOffline(false);
    await page.clock.fastForward(POLL_MS);
    // By the server's clock, some time is left.
    await shows(watched, 'Pay 25.00 EUR');
    expect(await page.locator('#open-wallet').isVisible()).toBe(true);
    expect(await page.locator('#connection').isVisible()).toBe(false);
    await watched.close();
  });

  test('stops asking for money when the server falls silent at the end of the window', async () => {
    const id = await app.create();
    await app.transactions.simulate(id, { action: 'advance_clock', seconds: 27 * 60 });
    const watched = await browser.open({ isOwn: true });
    const { page } = watched;
    await page.clock.install();
    await page.goto(urlOf(id));
    // Requests get neither an answer nor an error.
    await page.route(/\/(state|events)\?/, () => undefined);
    await page.clock.fastForward(4 * 60_000);
    await page.clock.fastForward(POLL_MS);
    await shows(watched, 'Checking the network');
    expect(await page.locator('#pay-panel').count()).toBe(0);
    await watched.close();
  });

  test('shows malicious names as text', async () => {
    const watched = await browser.open();
    await watched.page.goto(urlOf(await app.create()));
    expect(await watched.page.locator('.store').innerText()).toBe(STORE_NAME);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('is prevented from running any script but its own', async () => {
    const watched = await browser.open();
    await watched.page.goto(urlOf(await app.create()));
    const element = "document.getElementById('payment')";
    await watched.page.evaluate(
      `${element}.innerHTML += '<img src="https://elsewhere.example/x.png" onerror="globalThis.ran = 1">'`,
    );
    await vi.waitFor(() => expect(watched.troubles.join()).toContain('Content Security Policy'), POLLING);
    expect(await watched.page.evaluate('globalThis.ran')).toBeUndefined();
    await watched.close();
  });

  test('shows times in the time zone of the device, names it, and keeps UTC available', async () => {
    const watched = await browser.open({ timezoneId: 'Asia/Kolkata' });
    const id = await app.create();
    const { createdAt = 0 } = (await app.transactions.get(id)) ?? {};
    await watched.page.goto(urlOf(id));
    await watched.page.click('#details-summary');
    const created = watched.page.locator(`time[datetime="${new Date(createdAt).toISOString()}"]`);
    expect(await created.innerText()).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d (GMT\+5:30|IST)$/);
    expect(await created.getAttribute('title')).toMatch(/ UTC$/);
    await watched.close();
  });

  test('recovers by itself after the database was down', async () => {
    const id = await app.create();
    const watched = await browser.open({ isOwn: true });
    await watched.page.clock.install();
    app.breakDatabase(true);
    try {
      await watched.page.goto(urlOf(id));
      await shows(watched, 'Temporarily unavailable');
    } finally {
      app.breakDatabase(false);
    }
    const { reloadSeconds } = (await watched.page.evaluate('({ ...document.body.dataset })')) as Record<string, string>;
    await watched.page.clock.fastForward(Number(reloadSeconds) * 1_000);
    await shows(watched, 'Pay 25.00 EUR');
    await watched.close();
  });

  describe('without script', () => {
    test('changes its language by links, and keeps it with its buttons', async () => {
      const id = await app.create();
      const watched = await browser.open({ javaScriptEnabled: false });
      const { page } = watched;
      await page.goto(urlOf(id));
      await page.click('#languages summary');
      await page.click('#languages a[lang=fr]');
      await shows(watched, 'Payer 25,00 EUR');
      await page.click('#simulate-pay');
      await shows(watched, 'Votre paiement est en route');
      expect(page.url()).toBe(`${urlOf(id)}?lang=fr`);
      expect(await page.locator('.copy').first().isVisible()).toBe(false);
      await watched.close();
    });

    test('is complete: both codes are reachable, and the buttons work', async () => {
      const id = await app.create();
      const watched = await browser.open({ javaScriptEnabled: false });
      const { page } = watched;
      await page.goto(urlOf(id));
      expect(await page.locator('.tile.full').isVisible()).toBe(true);
      expect(await page.locator('.tile.bare').isVisible()).toBe(false);
      await page.click('label[for=code-address]');
      expect(await page.locator('.tile.bare').isVisible()).toBe(true);
      expect(await page.locator('.tile.full').isVisible()).toBe(false);
      expect(await page.locator('#copy-amount').isVisible()).toBe(false);
      expect(await page.locator('#open-wallet').getAttribute('href')).toMatch(/^litecoin:.*\?amount=/);
      await page.click('#simulate-pay');
      await shows(watched, 'Your payment is on its way');
      expect(page.url()).toBe(urlOf(id));
      expect(watched.troubles).toEqual([]);
      await watched.close();
    });
  });

  test('a finished page sends no more requests', async () => {
    const id = await app.create();
    await app.transactions.simulate(id, { action: 'pay' });
    await app.transactions.simulate(id, { action: 'confirm' });
    const watched = await browser.open({ isOwn: true });
    await watched.page.clock.install();
    await watched.page.goto(urlOf(id));
    await watched.page.clock.fastForward('02:00');
    expect(watched.requests.filter((url) => /events|state/.test(url))).toEqual([]);
    await watched.close();
  });
});

// Helpers

/**
 * A proxy that buffers a whole response before it forwards it: of an event stream, only the headers
 * arrive.
 */
async function startSilentProxy(target: string) {
  let held = 0;
  const server = createServer((request, response) => {
    if (!request.url?.includes('/events')) return void pass(request, response);
    held += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  });

  async function pass({ url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await fetch(`${target}${url}`, { headers: { 'if-none-match': headers['if-none-match'] ?? '' } });
    const type = answer.headers.get('content-type');
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    heldBack: () => held,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
