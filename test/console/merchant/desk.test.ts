import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeBrowser, startBrowser, type TestBrowser } from '../../support/browser.ts';
import { type Desk, openDesk } from './desk.ts';

describeBrowser('the console of a merchant', () => {
  let desk: Desk;
  let browser: TestBrowser;
  beforeAll(async () => {
    [desk, browser] = await Promise.all([openDesk({ hasPages: true }), startBrowser()]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await desk?.close();
  });

  test('is for those who belong to it', async () => {
    expect((await desk.call('owner', { path: '/me' })).data).toMatchObject({ merchant: { id: desk.merchantId } });
    const { page, close } = await desk.open(browser, 'owner', '/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Test mode' }).click();
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.waitForURL(`${desk.url}/console/test/payments`);
    await close();
  });
});
