import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import { upsertMerchant } from '../../../src/merchants/index.ts';
import { describeBrowser, horizontalOverflow, startBrowser, type TestBrowser } from '../../support/browser.ts';
import { seriousViolations } from '../app/console-app.ts';
import { type Desk, openDesk } from './desk.ts';

const OPERATOR = 'who-runs-it';

describeBrowser('the page of the plan', () => {
  let desk: Desk;
  let browser: TestBrowser;
  beforeAll(async () => {
    [desk, browser] = await Promise.all([
      openDesk({ hasPages: true, env: { OPERATOR_MERCHANT: OPERATOR } }),
      startBrowser(),
    ]);
    await desk.db
      .transaction()
      .execute((trx) =>
        upsertMerchant(trx, { name: OPERATOR, email: 'operator@example.com', plan: 'enterprise', settings: {} }),
      );
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await desk?.close();
  });

  const hold = (plan: string, endsInMs: number | null) =>
    desk.db
      .updateTable('merchant')
      .set({ plan, plan_expires_at: endsInMs === null ? null : new Date(Date.now() + endsInMs) })
      .where('id', '=', desk.merchantId)
      .execute();

  test('lets an owner choose a plan, make the invoice and find it again', async () => {
    await hold('starter', null);
    const watched = await desk.open(browser, 'owner', '/plan');
    const { page } = watched;
    await page.getByRole('button', { name: 'Test mode' }).click();
    await page.getByText('No invoice yet').waitFor();
    await page.getByText('A year', { exact: true }).click();
    await page.waitForURL(/pay=yearly/);
    const card = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Choose Professional' }) });
    const price = (await card.locator('.plan-price .number').innerText()).trim();
    await page.getByRole('button', { name: 'Choose Professional' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose Professional' });
    await dialog.getByText('This is test mode: the payment is simulated').waitFor();
    expect(await dialog.innerText()).toContain(price);
    expect(await dialog.innerText()).toContain('12 months');
    await dialog.getByLabel('Pay in').selectOption('LTC');
    await dialog.getByRole('button', { name: 'Make the invoice' }).click();
    const link = dialog.getByRole('link', { name: 'Open the payment page' });
    await link.waitFor();
    const address = await link.getAttribute('href');
    expect(address).toMatch(new RegExp(`^${desk.url}/transaction/txn_`));
    expect(await link.getAttribute('rel')).toBe('noreferrer noopener');
    expect(await seriousViolations(watched)).toEqual([]);
    await page.keyboard.press('Escape');
    const row = page.getByRole('region', { name: 'Invoices' }).locator('tr[data-row="0"]');
    await row.waitFor();
    expect(await row.innerText()).toContain('LTC');
    expect(await row.innerText()).toContain(price);
    expect(await row.innerText()).toContain('Waiting');
    expect(await row.getByRole('link').getAttribute('href')).toBe(address);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('warns of what has ended, and shows staff everything but the buttons', async () => {
    await hold('business', -DAY_MS);
    const owner = await desk.open(browser, 'owner', '/plan');
    await owner.page.getByText('Everything goes on until').waitFor();
    await owner.page.getByRole('button', { name: 'Renew Business' }).waitFor();
    await owner.close();
    await hold('business', -30 * DAY_MS);
    const staff = await desk.open(browser, 'staff', '/plan');
    await staff.page.getByRole('alert').getByText('so no new payment can be started').waitFor();
    await staff.page.getByText('Plans are bought by an owner of this account.').waitFor();
    expect(await staff.page.getByRole('button', { name: /^(Choose|Renew)/ }).count()).toBe(0);
    await staff.close();
    await hold('starter', null);
  });

  test('fits every screen, and can be used by everybody', async () => {
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      const watched = await desk.open(browser, 'owner', '/plan', { viewport: { width, height: 900 }, colorScheme });
      await watched.page.getByRole('button', { name: 'Choose Business' }).waitFor();
      await watched.page.getByText('No invoice yet').waitFor();
      expect(await horizontalOverflow(watched.page)).toBe(0);
      expect(await seriousViolations(watched)).toEqual([]);
      expect(watched.troubles).toEqual([]);
      await watched.close();
    }
  });
});
