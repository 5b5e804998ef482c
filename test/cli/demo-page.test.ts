import { fastify } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Demo } from '../../src/service/demo/demo.ts';
import { demoPage } from '../../src/service/demo/demo-page.ts';
import { matchPath } from '../../src/web/routing/paths.ts';
import { expectUsable } from '../support/browser/axe.ts';
import { describeBrowser, startBrowser, type TestBrowser } from '../support/browser/browser.ts';

const SECRETS = {
  sk_test: 'sk_test_of_the_demo',
  pk_test: 'pk_test_of_the_demo',
  console: {
    owner: { email: 'owner@example.com', password: 'the-password-of-the-owner' },
    operator: { email: 'operator@example.com', password: 'the-password-of-the-operator' },
  },
};
const HIDDEN = [SECRETS.sk_test, SECRETS.console.owner.password, SECRETS.console.operator.password];

const SHOW_KEY = 'what-the-terminal-shows';

let isOpen = true;
let hasFile = true;
let isSetupOpen = false;
const demo: Demo = {
  prepare: async () => isOpen,
  merchantId: async () => (isOpen ? 'mer_demo' : null),
  pay: async () => (isOpen ? '/transaction/txn_1' : null),
  secrets: async () => (hasFile ? SECRETS : null),
  publicUrl: 'http://127.0.0.1:8080',
  receiverUrl: 'http://127.0.0.1:8080/demo/receiver',
  mayShowSecrets: (key) => key === SHOW_KEY,
  invitation: () => '',
};
const app = fastify();

beforeAll(() => app.register(demoPage(demo, async () => isSetupOpen)));
afterAll(() => app.close());
beforeEach(() => {
  isOpen = true;
  hasFile = true;
  isSetupOpen = false;
});

async function visit(path = '/'): Promise<string> {
  const { statusCode, body } = await app.inject({ method: 'GET', url: path });
  expect(statusCode).toBe(200);
  return body;
}

const shownIn = (body: string) => HIDDEN.filter((secret) => body.includes(secret));

describe('the front page of an open demo', () => {
  test('shows its logins and its test key at the URL printed in the terminal', async () => {
    const body = await visit(`/?show=${SHOW_KEY}`);
    expect(shownIn(body)).toEqual(HIDDEN);
    expect(body).toContain('curl -s http://127.0.0.1:8080/v1/transactions/create');
  });

  test.each(['/', '/?show=', '/?show=guess', `/?show=${SHOW_KEY}&show=${SHOW_KEY}`])(
    'shows none of them at %s',
    async (path) => {
      const body = await visit(path);
      expect(shownIn(body)).toEqual([]);
      expect(body).toContain('Make a test payment');
      expect(body).toContain('demo-keys.json');
    },
  );

  test('links to pages that the console has', async () => {
    const body = await visit(`/?show=${SHOW_KEY}`);
    const paths = [...body.matchAll(/href="(console\/[^"]*)"/g)].map(([, path]) => `/${path}`);
    expect(paths.map((path) => matchPath(path)?.page)).toEqual(['overview', 'home']);
    expect(matchPath(paths[0] ?? '')?.mode).toBe('test');
  });

  test('says where they are when their file is missing', async () => {
    hasFile = false;
    expect(await visit(`/?show=${SHOW_KEY}`)).toContain('demo-keys.json');
  });
});

test('the front page without a demo shows none of them, and links to the console', async () => {
  isOpen = false;
  const body = await visit(`/?show=${SHOW_KEY}`);
  expect(shownIn(body)).toEqual([]);
  expect(body).not.toContain('Make a test payment');
  expect(body).toContain('href="console/"');
});

test('the front page of an installation without users says where the URL for the first one is', async () => {
  isOpen = false;
  isSetupOpen = true;
  const body = await visit(`/?show=${SHOW_KEY}`);
  expect(body).toContain('setupUrl');
  expect(body).not.toContain('/console/setup#');
});

describeBrowser('the front page in a browser', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test('fits every screen, is accessible, and sends no request to third parties', async () => {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const watched = await browser.open();
    await watched.page.goto(`${url}/?show=${SHOW_KEY}`);
    expect(await watched.page.locator('pre').innerText()).toContain(SECRETS.sk_test);
    await expectUsable(watched);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});
