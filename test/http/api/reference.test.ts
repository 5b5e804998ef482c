import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiReference, describeApi } from '../../../src/http/api/index.ts';
import { describeBrowser, horizontalOverflow, startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { level } from '../../support/run/level.ts';

let app: FastifyInstance;
let address: string;
beforeAll(async () => {
  // A browser keeps a spare connection open.
  app = fastify({ forceCloseConnections: true });
  await app.register(apiReference, { version: '1.2.3' });
  address = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

describe('GET /openapi.json', () => {
  test('is the document of the routes, for any tool to read', async () => {
    const response = await fetch(`${address}/openapi.json`);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(await describeApi({ version: '1.2.3' }))));
  });

  test('is not sent again to clients that have it', async () => {
    const { headers } = await fetch(`${address}/openapi.json`);
    const again = await fetch(`${address}/openapi.json`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });
});

describe('GET /docs', () => {
  test('may load and request nothing but this service', async () => {
    const response = await fetch(`${address}/docs`);
    expect(response.url).toBe(`${address}/docs/`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self' 'sha256-[A-Za-z0-9+/=]+';/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  });
});

describe('the script of GET /docs', () => {
  const url = () => `${address}/docs/js/scalar.js`;

  test.each(['br', 'gzip'])('is compressed as %s, to less than half of its size', async (encoding) => {
    const plain = await fetch(url(), { headers: { 'accept-encoding': 'identity' } });
    const packed = await fetch(url(), { headers: { 'accept-encoding': encoding } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(packed.headers.get('content-encoding')).toBe(encoding);
    expect(packed.headers.get('vary')).toBe('accept-encoding');
    const [plainBytes, packedBytes] = [plain, packed].map(({ headers }) => Number(headers.get('content-length')));
    expect(packedBytes).toBeLessThan(Number(plainBytes) / 2);
    expect(await packed.text()).toBe(await plain.text());
  });

  test('is not sent again to browsers that have it', async () => {
    const { headers } = await fetch(url());
    const again = await fetch(url(), { headers: { 'if-none-match': `W/${headers.get('etag')}` } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describeBrowser('the reference in a browser', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  const [narrow, wide] = [390, 1440] as const;
  const few = [
    { scheme: 'light', width: wide },
    { scheme: 'dark', width: narrow },
  ] as const;
  const others = [
    { scheme: 'dark', width: wide },
    { scheme: 'light', width: narrow },
  ] as const;
  test.each(level.isFull ? [...few, ...others] : few)(
    'shows every operation in $scheme at $width px, without requests to third parties or errors',
    async ({ scheme, width }) => {
      const { page, requests, troubles, close } = await browser.open({
        colorScheme: scheme,
        viewport: { width, height: 900 },
      });
      try {
        await page.goto(`${address}/docs`);
        await page.getByRole('heading', { name: 'Quittance merchant API' }).first().waitFor();
        // Scrolls through the whole page: late rendering could also load late.
        await page.getByRole('heading', { name: 'Create a transaction' }).first().scrollIntoViewIfNeeded();
        await page.getByText('IDEMPOTENCY_CONFLICT').first().waitFor({ state: 'attached' });
        expect(requests.filter((url) => !url.startsWith(`${address}/`) && !url.startsWith('data:'))).toEqual([]);
        expect(requests).toContain(`${address}/openapi.json`);
        expect(troubles.filter((trouble) => !isMissingIcon(trouble))).toEqual([]);
        expect(await horizontalOverflow(page)).toBe(0);
      } finally {
        await close();
      }
    },
  );
});

// Helpers

/**
 * Browsers request /favicon.ico until the page has set its icon; this server has no other pages.
 */
function isMissingIcon(trouble: string): boolean {
  return trouble.endsWith('404 (Not Found): /favicon.ico');
}
