import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import type { WatchedPage } from '../../../support/browser/browser.ts';
import { POLLING } from '../../../support/polling.ts';
import { showWithin } from '../../../support/within-console.ts';
import type { Who } from '../support/console.ts';
import { type ConsolePages, describeConsolePages } from '../support/describe-console.ts';
import { createResources, type MerchantResources, WALLETS } from './resources.ts';

/** Breaks out of attributes, elements and scripts wherever it is not escaped as text. */
const HOSTILE = `"'></script><img src=x onerror="globalThis.stored=1"><script>globalThis.stored=2</script>`;

describeConsolePages('merchant and customer texts that contain code', { wallets: WALLETS }, (console) => {
  let resources: MerchantResources;
  beforeAll(async () => {
    resources = await createResources(console, HOSTILE);
  }, 120_000);

  const load = (page: Page, path: string) => page.goto(`${console.url}${path}`);

  /** Opens one page after another; returns on how many the text was visible. */
  async function visit(
    watched: WatchedPage,
    paths: readonly string[],
    show: (page: Page, path: string) => Promise<unknown>,
  ): Promise<number> {
    const { page } = watched;
    let readable = 0;
    for (const path of paths) {
      await show(page, path);
      await vi.waitFor(async () => {
        expect(await page.locator('h1').count(), path).toBeGreaterThan(0);
        expect(await page.locator('.loading').count(), path).toBe(0);
      }, POLLING);
      const [stored, text] = (await page.evaluate('[globalThis.stored, document.body.innerText]')) as [unknown, string];
      expect(stored, `${path} ran what was text`).toBeUndefined();
      expect(await page.locator('img[src="x"]').count(), path).toBe(0);
      if (text.includes('onerror=')) readable += 1;
    }
    return readable;
  }

  test.each([
    ['owner', ownersPages, 6],
    ['operator', operatorsPages, 1],
  ] as const)('stay text on every page of the %s', async (who: Who, pagesOf, least) => {
    const watched = await console.open(who, '/account');
    expect(await visit(watched, pagesOf(resources, console), showWithin)).toBeGreaterThanOrEqual(least);
    if (who === 'owner') {
      expect(await visit(watched, [`/console/sign-in?from=${encodeURIComponent(HOSTILE)}`], load)).toBe(0);
    }
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('stay text on the customer pages', async () => {
    const watched = await console.browser.open();
    const { payment } = resources;
    const paths = [`/transaction/${payment}`, `/transaction/${payment}?lang=pl`];
    expect(await visit(watched, paths, load)).toBeGreaterThan(0);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});

// Helpers

function ownersPages({ payment, schedule, endpoint, delivery, link }: MerchantResources): readonly string[] {
  return [
    '/test/overview',
    '/test/needs-attention',
    '/test/payments',
    `/test/payments?search=${encodeURIComponent(HOSTILE)}`,
    `/test/payments/${payment}`,
    '/test/links',
    `/test/links?open=${link}`,
    '/test/recurring',
    `/test/recurring/${schedule}`,
    '/test/statistics',
    '/webhooks',
    `/webhooks/${endpoint}`,
    `/webhooks/${endpoint}?delivery=${delivery}`,
    '/wallets',
    '/keys',
    '/plan',
    '/settings',
    '/audit',
    '/users',
  ].map((path) => `/console${path}`);
}

function operatorsPages({ payment, schedule }: MerchantResources, { merchantId }: ConsolePages): readonly string[] {
  return [
    '/merchants',
    `/merchants/${merchantId}`,
    '/actions',
    '/actors?kind=transaction',
    `/actors/${encodeURIComponent(payment)}`,
    `/actors/${encodeURIComponent(payment)}?tab=context`,
    `/actors/${encodeURIComponent(schedule)}?tab=context`,
    '/mails',
    '/dead-letters',
    '/health',
  ].map((path) => `/console${path}`);
}
