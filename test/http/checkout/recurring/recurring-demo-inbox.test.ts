import { fastify } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { renderEmail } from '../../../../src/mail/index.ts';
import { type DemoEmail, type DemoInbox, demoInbox } from '../../../../src/service/demo/demo-inbox.ts';
import {
  describeBrowser,
  horizontalOverflow,
  startBrowser,
  type TestBrowser,
} from '../../../support/browser/browser.ts';

const PAY_URL = 'http://127.0.0.1:9/recurring/pay/0123456789abcdef0123456789abcdef';
const HOSTILE = `</pre></iframe>"><script>globalThis.ran = 1</script><img src=x onerror="globalThis.ran = 1">`;

const mails = new Map<string, DemoEmail>();
let isReady = true;
const requested: string[] = [];
const inbox: DemoInbox = {
  async list() {
    requested.push('list');
    return [...mails.values()].reverse();
  },
  async get(_merchantId, id) {
    requested.push(id);
    return mails.get(id) ?? null;
  },
};
const app = fastify();
let url = '';

function put(id: string, { subject = 'Payment request', paragraph = 'Your bread is due.' } = {}): void {
  const letter = renderEmail({
    to: null,
    subject,
    blocks: [
      { kind: 'paragraph', text: paragraph },
      { kind: 'link', text: 'Pay 25.00 EUR', url: PAY_URL },
    ],
    footer: 'You get this email because you agreed to it.',
  });
  mails.set(id, { id, recipient: 'guest@example.test', createdAt: Date.UTC(2026, 10, 21, 10, 30), ...letter });
}

beforeAll(async () => {
  await app.register(demoInbox({ merchantId: async () => (isReady ? 'mer_demo' : null) }, inbox));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());
beforeEach(() => {
  mails.clear();
  isReady = true;
  requested.length = 0;
});

const open = (path: string) => fetch(`${url}/demo/inbox${path}`);

test('the inbox lists the newest fifty emails, newest first', async () => {
  for (let number = 1; number <= 60; number += 1) put(`eml_${number}`, { subject: `Request no. ${number}.` });
  const text = await (await open('')).text();
  const shown = [...text.matchAll(/Request no\. (\d+)\./g)].map(([, number]) => Number(number));
  expect(shown).toEqual(Array.from({ length: 50 }, (_, index) => 60 - index));
  expect(text).toContain('href="inbox/eml_60"');
  expect(text).toContain('guest@example.test');
});

test('an empty inbox says so', async () => {
  expect(await (await open('')).text()).toContain('No emails yet.');
});

test('an email shows its subject, its text with links, and its HTML', async () => {
  put('eml_1', { paragraph: 'See https://shop.example/bread?a=1&b=2. Or not' });
  const text = await (await open('/eml_1')).text();
  expect(text).toContain('<h1>Payment request</h1>');
  expect(text).toContain(`<a href="${PAY_URL}" rel="noopener noreferrer">${PAY_URL}</a>`);
  expect(text).toContain('<a href="https://shop.example/bread?a=1&amp;b=2" rel="noopener noreferrer">');
  expect(text).toContain('2026-11-21 10:30 UTC');
});

test('no script runs, nothing external loads, and the page is not cached', async () => {
  put('eml_1');
  for (const path of ['', '/eml_1']) {
    const { status, headers } = await open(path);
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|https?:|\*|img-src/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
});

test('an id without an email returns 404', async () => {
  put('eml_1');
  for (const id of ['eml_2', '%00', '..%2Finbox', "' or 1=1"]) expect((await open(`/${id}`)).status).toBe(404);
});

test('without a demo merchant there is no inbox, and no mail is looked up', async () => {
  put('eml_1');
  isReady = false;
  for (const path of ['', '/eml_1', '/eml_2']) {
    const response = await open(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('Payment request');
  }
  expect(requested).toEqual([]);
});

describeBrowser('the demo inbox in a browser', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test('shows both forms of an email; malicious content is text, and no request is sent to third parties', async () => {
    put('eml_1', { subject: HOSTILE, paragraph: HOSTILE });
    const { page, requests, troubles, close } = await browser.open({ viewport: { width: 320, height: 800 } });
    await page.goto(`${url}/demo/inbox`);
    expect(await horizontalOverflow(page)).toBe(0);
    await page.click('ol a');
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await page.locator('pre').innerText()).toContain(HOSTILE);
    const frame = page.frameLocator('iframe');
    expect(await frame.locator('p').nth(1).innerText()).toBe(HOSTILE);
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    const origins = requests.filter((address) => !address.startsWith(url) && !address.startsWith('about:'));
    expect(origins).toEqual([]);
    expect(troubles.filter((trouble) => !trouble.includes('favicon'))).toEqual([]);
    await close();
  });

  test('opens links from both forms: in place from the text, in a new page from the HTML', async () => {
    put('eml_1');
    const { page, close } = await browser.open();
    await page.context().route(PAY_URL, (route) => route.fulfill({ body: 'the way to pay' }));
    await page.goto(`${url}/demo/inbox/eml_1`);
    const [fresh] = await Promise.all([
      page.context().waitForEvent('page'),
      page.frameLocator('iframe').getByRole('link', { name: 'Pay 25.00 EUR' }).click(),
    ]);
    await fresh.waitForURL(PAY_URL);
    expect(await fresh.evaluate('globalThis.opener')).toBeNull();
    await page.locator('pre a').click();
    await page.waitForURL(PAY_URL);
    await close();
  });

  test('even injected markup in the mail runs nothing', async () => {
    put('eml_1');
    const mail = mails.get('eml_1');
    if (mail !== undefined) mails.set('eml_1', { ...mail, html: `<p>there</p>${HOSTILE}` });
    const { page, troubles, close } = await browser.open();
    await page.goto(`${url}/demo/inbox/eml_1`);
    const [, frame] = page.frames();
    expect(await frame?.locator('p').innerText()).toBe('there');
    expect(await frame?.evaluate('globalThis.ran')).toBeUndefined();
    expect(troubles.join()).toContain('Content Security Policy');
    expect(requested).toEqual(['eml_1']);
    await close();
  });
});
