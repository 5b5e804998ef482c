import { beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../../../../machines/index.ts';
import { upsertMerchant } from '../../../../../src/merchants/index.ts';
import { expectUsable, seriousViolations } from '../../../../support/browser/axe.ts';
import { describeConsolePages } from '../../support/describe-console.ts';

const OPERATOR = 'who-runs-it';

describeConsolePages('the plan page', { env: { OPERATOR_MERCHANT: OPERATOR } }, (console) => {
  beforeAll(async () => {
    await console.db
      .transaction()
      .execute((trx) =>
        upsertMerchant(trx, { name: OPERATOR, email: 'operator@example.com', plan: 'enterprise', settings: {} }),
      );
  }, 120_000);

  const hold = (plan: string, endsInMs: number | null) =>
    console.db
      .updateTable('merchant')
      .set({ plan, plan_expires_at: endsInMs === null ? null : new Date(Date.now() + endsInMs) })
      .where('id', '=', console.merchantId)
      .execute();

  test('lets an owner choose a plan, create the invoice and find it again', async () => {
    await hold('starter', null);
    const watched = await console.open('owner', '/plan');
    const { page } = watched;
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.waitForURL(`${console.url}/console/test/plan`);
    await page.getByText('Test mode: no real money', { exact: true }).waitFor();
    await page.getByText('No invoice yet').waitFor();
    await page.getByText('Yearly', { exact: true }).click();
    await page.waitForURL(/pay=yearly/);
    const card = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Choose Professional' }) });
    const price = (await card.locator('.plan-price .number').innerText()).trim();
    await page.getByRole('button', { name: 'Choose Professional' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose Professional' });
    await dialog.getByText('This is test mode: no real money is paid').waitFor();
    expect(await dialog.innerText()).toContain(price);
    expect(await dialog.innerText()).toContain('12 months');
    await dialog.getByLabel('Pay in').selectOption('LTC');
    await dialog.getByRole('button', { name: 'Create invoice' }).click();
    const link = dialog.getByRole('link', { name: 'Open the payment page' });
    await link.waitFor();
    const address = await link.getAttribute('href');
    expect(address).toMatch(new RegExp(`^${console.url}/transaction/txn_`));
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

  test('warns of an ended plan, and shows staff everything but the buttons', async () => {
    await hold('business', -DAY_MS);
    const owner = await console.open('owner', '/plan');
    await owner.page.getByText('Everything works until').waitFor();
    await owner.page.getByText('Simulated payments do not count.').waitFor();
    await owner.page.getByRole('button', { name: 'Renew Business' }).click();
    await owner.page.getByRole('dialog').getByText('from that moment if its grace period is over').waitFor();
    await owner.close();
    await hold('business', -30 * DAY_MS);
    const staff = await console.open('staff', '/plan');
    await staff.page.getByRole('alert').getByText('so no new payment can be started').waitFor();
    await staff.page.getByText('Only an owner of this account can buy plans.').waitFor();
    expect(await staff.page.getByRole('button', { name: /^(Choose|Renew)/ }).count()).toBe(0);
    await staff.close();
    await hold('starter', null);
  });

  test('fits every screen and is accessible', async () => {
    const watched = await console.open('owner', '/plan');
    await watched.page.getByRole('button', { name: 'Choose Business' }).waitFor();
    await watched.page.getByText('No invoice yet').waitFor();
    await expectUsable(watched);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});
