import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertMany, insertPayments, PLAIN } from '../../payments/search/rows.ts';
import { describeBrowser, horizontalOverflow, startBrowser, type TestBrowser } from '../../support/browser.ts';
import { seriousViolations } from '../app/console-app.ts';
import { type Desk, openDesk } from './desk.ts';
import { readCsv } from './payments/read-csv.ts';

const MANY = 10_000;
/** Far fewer than there are payments: those in sight and some above and below. */
const MOST_ROWS_IN_PAGE = 120;
/** A browser beside other test files takes its time over fifty pages of payments. */
const SCROLL_MS = 120_000;
const SCROLL_TO_END = "const frame = document.querySelector('.table-frame'); frame.scrollTop = frame.scrollHeight";
const ORDER = '<b>Täglich "frisch"</b> – '.repeat(4);

describeBrowser('the page of payments', () => {
  let desk: Desk;
  let browser: TestBrowser;
  beforeAll(async () => {
    [desk, browser] = await Promise.all([openDesk({ hasPages: true }), startBrowser()]);
    await insertMany(desk.db, { merchantId: desk.merchantId, mode: 'live' }, MANY);
    await insertPayments(desk.db, [
      {
        ...PLAIN,
        merchantId: desk.merchantId,
        createdAt: PLAIN.createdAt + 60_000,
        id: 'txn_newest',
        orderId: ORDER,
        customerEmail: `${'long-name-'.repeat(6)}@example.com`,
        crypto: 'PEPE',
        dueBaseUnits: 123_456_789_012_340_000_000_000_000n,
        paidBaseUnits: 123_456_789_012_340_000_000_000_000n,
        amountFiat: '1234567.5',
        status: 'expired',
        exception: 'paid_late',
      },
    ]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await desk?.close();
  });

  test(
    'scrolls ten thousand payments with few rows in the page',
    async () => {
      const { page, troubles, close } = await desk.open(browser, 'staff', '/payments');
      const table = page.getByRole('region', { name: 'Payments' });
      await table.getByText('1,234,567.50').waitFor();
      await page.getByText('200 of 10,001').waitFor();
      const rows = table.locator('tbody tr[data-row]');
      // Each time the end comes into sight more is loaded, to the very last payment.
      await expect
        .poll(
          async () => {
            await page.evaluate(SCROLL_TO_END);
            expect(await rows.count()).toBeLessThan(MOST_ROWS_IN_PAGE);
            return table.locator('table').getAttribute('aria-rowcount');
          },
          { timeout: SCROLL_MS, interval: 20 },
        )
        .toBe(String(MANY + 2));
      await table.locator(`tr[data-row="${MANY}"]`).waitFor();
      await page.getByRole('button', { name: 'Show the newest' }).click();
      await page.getByText('200 of 10,001').waitFor();
      expect(troubles).toEqual([]);
      await close();
    },
    SCROLL_MS + 30_000,
  );

  test('is narrowed by filters and search, which are in the address, and exported as it is listed', async () => {
    const { page, troubles, close } = await desk.open(browser, 'owner', '/payments');
    await page.getByLabel('Status').selectOption({ label: 'Paid late' });
    await page.waitForURL(/exception=paid_late/);
    await page.getByText('11 of 11').waitFor();
    await page.getByLabel('Coin').selectOption('PEPE');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('11 of 11').waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^payments-live-\d{4}-\d\d-\d\d\.csv$/);
    const [head = [], ...rows] = readCsv((await readFile(await download.path(), 'utf8')).replace(/^\ufeff/, ''));
    expect(rows).toHaveLength(11);
    expect(rows[0]?.[head.indexOf('order_id')]).toBe(ORDER);

    await page.getByRole('link', { name: 'Clear the filters' }).click();
    await page.getByLabel('From (UTC)').fill('2026-11-20');
    await page.getByText('200 of 721').waitFor();
    await page.getByLabel('To (UTC)').fill('2026-11-19');
    await page.getByText('Before the first day.').waitFor();
    await page.getByText('Nothing matches').waitFor();
    await page.getByLabel('To (UTC)').fill('2026-11-20');
    await page.getByText('200 of 721').waitFor();
    expect(new URL(page.url()).search).toBe('?from=2026-11-20&to=2026-11-20');
    await page.getByRole('link', { name: 'Clear the filters' }).click();

    // From here on without a mouse.
    await page.keyboard.press('/');
    await page.keyboard.type('order-1234');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=order-1234/);
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Payments' }).focus();
    await page.keyboard.press('j');
    await page.locator('td a:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/payments\/txn_/);
    expect(troubles).toEqual([]);
    await close();
  });

  test('leads to the first test payment while there is none, and shows it as soon as it is there', async () => {
    const { page, troubles, close } = await desk.open(browser, 'owner', '/test/payments');
    await page.getByText('No test payments yet').waitFor();
    const href = await page.getByRole('link', { name: 'To the first test payment' }).getAttribute('href');
    expect(href).toBe('/console/test/overview');
    const body = { crypto: 'LTC', amount: '25', currency: 'EUR' };
    const { data } = await desk.call('staff', { method: 'POST', path: '/merchant/overview/test-payment', body });
    await page.getByRole('link', { name: data.id }).waitFor();
    await page.locator('td').getByText('Waiting', { exact: true }).waitFor();
    for (const [action, word] of [
      ['pay', 'Confirming'],
      ['confirm', 'Paid'],
    ] as const) {
      await desk.api({ method: 'POST', path: `/transactions/${data.id}/simulate`, body: { action } });
      await page.locator('td').getByText(word, { exact: true }).waitFor();
    }
    expect(troubles).toEqual([]);
    await close();
  });

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('fits %i pixels, %s, and has nothing in the way of assistive technology', async (width, colorScheme) => {
    const watched = await desk.open(browser, 'owner', '/payments', { viewport: { width, height: 860 }, colorScheme });
    const { page, troubles, close } = watched;
    await page.getByText('1,234,567.50').waitFor();
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await seriousViolations(watched)).toEqual([]);
    await page.getByLabel('Search').fill('nothing');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches').waitFor();
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await seriousViolations(watched)).toEqual([]);
    expect(troubles).toEqual([]);
    await close();
  });
});
