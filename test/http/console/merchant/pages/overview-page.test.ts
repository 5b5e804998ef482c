import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PAID_LATE_WINDOW_MS } from '../../../../../machines/index.ts';
import type { Overview } from '../../../../../src/http/console/merchant/overview/schemas.ts';
import { KEY_PLACEHOLDER } from '../../../../../src/web/pages/merchant/overview/snippets.ts';
import { paymentsText } from '../../../../../src/web/pages/merchant/statistics/labels.ts';
import { expectUsable, seriousViolations, TABLET_TOO } from '../../../../support/browser/axe.ts';
import { POLLING } from '../../../../support/polling.ts';
import { describeConsolePages } from '../../support/describe-console.ts';

describeConsolePages('the overview page', {}, (console) => {
  test('shows staff who can help, and lets them simulate a test payment', async () => {
    const watched = await console.open('staff', '/overview');
    const { page } = watched;
    const wallet = page.locator('.first-step').nth(1);
    await wallet.getByText('Add a wallet').first().waitFor();
    await wallet.locator('.step-details > summary').click();
    await wallet.getByText('Ask one to add a wallet').waitFor();
    expect(await wallet.getByRole('link').count()).toBe(0);
    expect(await seriousViolations(watched)).toEqual([]);
    // The first step, so it is open.
    const payment = page.locator('.first-step').first();
    await payment.getByText('Create your first test payment').waitFor();
    await payment.getByRole('button', { name: 'Start a test payment' }).click();
    await payment.getByText('A test payment is open').waitFor();
    const link = payment.getByRole('link', { name: 'Open the payment page' });
    expect(await link.getAttribute('href')).toMatch(new RegExp(`^${console.url}/transaction/txn_`));
    expect(await link.getAttribute('rel')).toBe('noreferrer noopener');
    await payment.getByRole('link', { name: 'View in the console' }).click();
    await page.waitForURL(/\/console\/test\/payments\/txn_/);
    await watched.close();
  });

  test('counts and lists the payments of its mode, live', async () => {
    const watched = await console.open('owner', '/test/overview');
    const { page } = watched;
    const latest = page.locator('.card-latest');
    await latest.getByRole('heading', { name: 'Recent payments' }).waitFor();
    const before = await latest.getByRole('link', { name: /^txn_/ }).count();
    const body = { crypto: 'BTC', amount: 31.5, currency_fiat: 'GBP', metadata: null };
    const { data } = await console.api({ method: 'POST', path: '/transactions/create', body });
    await latest.getByTitle(data.transaction_id).waitFor();
    await latest.getByText('31.50').waitFor();
    expect(await latest.getByRole('link', { name: /^txn_/ }).count()).toBe(before + 1);
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await page.getByText('No payments yet').waitFor();
    await page.getByText('payments completed this month, without simulated ones').waitFor();
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('shows the volume of 30 days in the currency of the prices, and the rate of ended payments', async () => {
    const body = { crypto: 'LTC', amount: 25, currency_fiat: 'EUR', metadata: null };
    const { data } = await console.api({ method: 'POST', path: '/transactions/create', body });
    const path = `/transactions/${data.transaction_id}/simulate`;
    for (const action of ['pay', 'confirm']) await console.api({ method: 'POST', path, body: { action } });
    const totals = async () => (await console.api({ path: '/stats' })).data.totals;
    await expect.poll(async () => (await totals()).completed, POLLING).toBe(1);
    const { created } = await totals();
    const { page, close } = await console.open('owner', '/test/overview');
    const month = page.locator('.month-card');
    await month.getByText('25.00\u00a0EUR', { exact: true }).waitFor();
    await month.getByText('100\u00a0%', { exact: true }).waitFor();
    await month.getByText('conversion rate, of 1 payment that ended').waitFor();
    const today = page.locator('.figure-card', { has: page.getByRole('heading', { name: 'Today' }) });
    await today.getByText(`1 of ${paymentsText(created)} paid, ${created - 1} not final yet`).waitFor();
    const line = month.getByRole('img', { name: `1 of ${paymentsText(created)} paid` });
    const points = (await line.locator('polyline').getAttribute('points')) ?? '';
    // Everything was created today, the last of the 30 days.
    expect(points.split(' ')).toHaveLength(30);
    expect(points).toMatch(/ 300,0$/);
    await month.getByRole('link', { name: 'View statistics' }).click();
    await page.waitForURL(/\/console\/test\/statistics$/);
    await close();
  });

  test('counts items that need attention, of which one payment may have two', async () => {
    const body = { crypto: 'LTC', amount: 25, currency_fiat: 'EUR', metadata: null };
    const { data } = await console.api({ method: 'POST', path: '/transactions/create', body });
    const simulate = async (step: object) => {
      await console.api({ method: 'POST', path: `/transactions/${data.transaction_id}/simulate`, body: step });
    };
    const { page, close } = await console.open('owner', '/test/overview');
    const figure = page.locator('.figure-card').filter({ hasText: 'Needs attention' });
    await figure.getByText('Nothing to review').waitFor();
    for (const step of [{ action: 'pay_partial' }, AFTER_THE_WINDOW]) await simulate(step);
    await page.reload();
    await figure.getByRole('link', { name: '1', exact: true }).waitFor();
    await figure.getByText('item to review', { exact: true }).waitFor();
    for (const step of [AFTER_THE_LATE_COINS, { action: 'pay_late' }]) await simulate(step);
    await page.reload();
    await figure.getByRole('link', { name: '2', exact: true }).waitFor();
    await figure.getByText('items to review', { exact: true }).waitFor();
    await close();
  });

  test('offers a request that works with a key, and hides steps once they are done and dismissed', async () => {
    const { page, close } = await console.open('owner', '/test/overview');
    const step = page.locator('.first-step').filter({ hasText: 'Create an API key' });
    const code = (await step.locator('.snippet-text').first().textContent()) ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', code.replaceAll(KEY_PLACEHOLDER, console.keys.sk_test)]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { plan: { tier: expect.any(String) } } });
    await page.route('**/console/api/merchant/overview?*', async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: Overview };
      const firstRun = { ...data.firstRun, hasWallet: true, canBePaid: true, hasEndpoint: true, hasDelivered: true };
      const done = { ...firstRun, hasTestPayment: true, hasLiveKey: true, hasSupportContact: true };
      const json = { data: { ...data, firstRun: done } };
      await route.fulfill({ response, json });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Recent payments' }).waitFor();
    expect(await page.locator('.first-run').count()).toBe(0);
    await close();
  });

  test('keeps the mode when navigating to another page', async () => {
    const { page, close } = await console.open('owner', '/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.waitForURL(`${console.url}/console/test/payments`);
    // Also where the URL has none, and after a reload there.
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.waitForURL(`${console.url}/console/webhooks`);
    await page.reload();
    await page.locator('.modes-test').waitFor();
    const note = page.getByText('This page covers live and test mode.');
    await note.waitFor();
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.waitForURL(`${console.url}/console/test/payments`);
    await note.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await page.reload();
    await page.locator('.modes-live').waitFor();
    await close();
  });

  test.each([
    [1_440, 4],
    [768, 2],
    [390, 1],
  ])('at %i px has %i figures in each row', async (width, count) => {
    const { page, close } = await console.open('owner', '/overview', { viewport: { width, height: 900 } });
    const figures = page.locator('.figure-card');
    await figures.first().waitFor();
    const rows = new Map<number, number>();
    for (const figure of await figures.all()) {
      const y = Math.round((await figure.boundingBox())?.y ?? 0);
      rows.set(y, (rows.get(y) ?? 0) + 1);
    }
    expect(new Set(rows.values())).toEqual(new Set([count]));
    await close();
  });

  test('has steps that can be read and expanded with the keyboard only', async () => {
    const { page, close } = await console.open('owner', '/overview');
    const summary = page.locator('.first-step').filter({ hasText: 'Take your first real payment' }).locator('summary');
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Add a wallet first').waitFor();
    await close();
  });

  test('fits every screen and is accessible', async () => {
    const watched = await console.open('owner', '/test/overview');
    await watched.page.locator('.numbers').waitFor();
    await watched.page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
    await expectUsable(watched, TABLET_TOO);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});

// Helpers

const AFTER_THE_WINDOW = { action: 'advance_clock', seconds: 3_601 };
/** Later coins need no decision: they are an item of their own. */
const AFTER_THE_LATE_COINS = { action: 'advance_clock', seconds: PAID_LATE_WINDOW_MS / 1_000 };
