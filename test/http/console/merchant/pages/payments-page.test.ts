import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { insertMany, insertPayments, PLAIN } from '../../../../payments/search/rows.ts';
import { expectUsable } from '../../../../support/browser/axe.ts';
import { describeConsolePages } from '../../support/describe-console.ts';
import { readCsv } from '../payments/read-csv.ts';

/** Far more than one page loads. */
const MANY = 2_000;
/** One in a thousand, and the newest. */
const LATE = MANY / 1_000 + 1;
const ORDER = '<b>Täglich "frisch"</b> – '.repeat(4);

describeConsolePages('the payments page', {}, (console) => {
  beforeAll(async () => {
    await insertMany(console.db, { merchantId: console.merchantId, mode: 'live' }, MANY);
    await insertPayments(console.db, [
      {
        ...PLAIN,
        merchantId: console.merchantId,
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

  test('has filters and search, which are kept in the URL, and exports the filtered list', async () => {
    const { page, troubles, close } = await console.open('owner', '/payments');
    await page.getByLabel('Status').selectOption({ label: 'Paid late' });
    await page.waitForURL(/exception=paid_late/);
    await page.getByText(`${LATE} of ${LATE}`).waitFor();
    await page.getByLabel('Coin').selectOption('PEPE');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText(`${LATE} of ${LATE}`).waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^payments-live-\d{4}-\d\d-\d\d\.csv$/);
    const [head = [], ...rows] = readCsv((await readFile(await download.path(), 'utf8')).replace(/^\ufeff/, ''));
    expect(rows).toHaveLength(LATE);
    expect(rows[0]?.[head.indexOf('order_id')]).toBe(ORDER);

    await page.getByRole('link', { name: 'Clear the filters' }).click();
    await page.getByLabel('From (UTC)').fill('2026-11-20');
    await page.getByText('200 of 721').waitFor();
    await page.getByLabel('To (UTC)').fill('2026-11-19');
    await page.getByText('Before the first day.').waitFor();
    await page.getByText('No payment matches all of these filters.').waitFor();
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

  test('links to the first test payment while there is none, and shows it as soon as it exists', async () => {
    const { page, troubles, close } = await console.open('owner', '/test/payments');
    await page.getByText('No test payments yet').waitFor();
    const href = await page.getByRole('link', { name: 'Create a test payment' }).getAttribute('href');
    expect(href).toBe('/console/test/overview');
    const body = { crypto: 'LTC', amount: '25', currency: 'EUR' };
    const { data } = await console.call('staff', { method: 'POST', path: '/merchant/overview/test-payment', body });
    await page.getByTitle(data.id).waitFor();
    await page.locator('td').getByText('Waiting', { exact: true }).waitFor();
    for (const [action, word] of [
      ['pay', 'Confirming'],
      ['confirm', 'Paid'],
    ] as const) {
      await console.api({ method: 'POST', path: `/transactions/${data.id}/simulate`, body: { action } });
      await page.locator('td').getByText(word, { exact: true }).waitFor();
    }
    expect(troubles).toEqual([]);
    await close();
  });

  test('fits every screen, and works with assistive technology', async () => {
    const watched = await console.open('owner', '/payments');
    const { page, troubles, close } = watched;
    await page.getByText('1,234,567.50').waitFor();
    await expectUsable(watched);
    await page.getByLabel('Search').fill('nothing');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches').waitFor();
    await expectUsable(watched);
    await page.getByText('metadata values match only in full').waitFor();
    await page.getByRole('link', { name: 'Show all payments' }).click();
    await page.getByText('1,234,567.50').waitFor();
    expect(troubles).toEqual([]);
    await close();
  });

  test('names the time zone in the column title, and in rows of the other half of the year', async () => {
    const days = { txn_winter: Date.UTC(2026, 0, 10, 12), txn_summer: Date.UTC(2026, 6, 10, 12) };
    const common = { ...PLAIN, merchantId: console.merchantId, mode: 'test' as const };
    await insertPayments(
      console.db,
      Object.entries(days).map(([id, createdAt]) => ({ ...common, id, orderId: id, createdAt })),
    );
    const watched = await console.open('owner', '/test/payments', { timezoneId: 'America/New_York' });
    const { page, troubles, close } = watched;
    const when = (order: string) => page.locator('tr', { hasText: order }).locator('time');
    await when('txn_winter').waitFor();
    const title = await page.getByRole('columnheader', { name: /^When/ }).innerText();
    const zone = /GMT-[45]/.exec(title)?.[0];
    const shown = (time: string, own: string) => (own === zone ? time : `${time} ${own}`);
    expect(await when('txn_winter').innerText()).toMatch(new RegExp(`${shown('07:00', 'GMT-5')}$`));
    expect(await when('txn_summer').innerText()).toMatch(new RegExp(`${shown('08:00', 'GMT-4')}$`));
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await when('txn_winter').innerText()).toMatch(/07:00 GMT-5$/);
    expect(await when('txn_summer').innerText()).toMatch(/08:00 GMT-4$/);
    expect(troubles).toEqual([]);
    await close();
  });
});
