import { beforeAll, expect, test } from 'vitest';
import { amountText } from '../../../../../src/web/ui/values/amount-text.ts';
import { expectUsable } from '../../../../support/browser/axe.ts';
import { horizontalOverflow } from '../../../../support/browser/browser.ts';
import { POLLING } from '../../../../support/polling.ts';
import { describeConsolePages } from '../../support/describe-console.ts';

/** The opaque colours drawn, as numbers. Reads a copy of the canvas with `willReadFrequently`. */
const COLOURS = `[...new Set([...document.querySelectorAll('.plot canvas')].flatMap((canvas) => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] === 255) colours.add(data[at] * 65536 + data[at + 1] * 256 + data[at + 2]);
  return [...colours];
}))].sort().join(' ')`;
const PLOT_WIDTH = `document.querySelector('.plot canvas').getBoundingClientRect().width`;

describeConsolePages('the statistics page', {}, (console) => {
  beforeAll(async () => {
    for (const [crypto, amount, isPaid] of [
      ['LTC', 25, true],
      ['BTC', 40, true],
      ['BTC', 12, false],
    ] as const) {
      const made = await console.api({
        method: 'POST',
        path: '/transactions/create',
        body: { crypto, amount, currency_fiat: 'EUR' },
      });
      const path = `/transactions/${made.data.transaction_id}/simulate`;
      for (const action of isPaid ? ['pay', 'confirm'] : []) {
        expect((await console.api({ method: 'POST', path, body: { action } })).status).toBe(200);
      }
    }
  }, 120_000);

  test('shows the numbers of GET /v1/stats, as charts and as lists', async () => {
    await expect.poll(async () => (await console.api({ path: '/stats' })).data.totals.completed, POLLING).toBe(2);
    const { data: stats } = await console.api({ path: '/stats' });
    // All prices are in euros, and so is everything but the column that says otherwise.
    const volume = amountText(String(stats.by_fiat.EUR.volume), 'EUR');
    const watched = await console.open('staff', '/test/statistics');
    const { page } = watched;
    const figure = (name: string) => page.locator('.statistic', { hasText: name }).locator('.statistic-value');
    await figure('Volume').waitFor();
    expect(await figure('Volume').innerText()).toBe(volume);
    expect(await figure('Payments created').innerText()).toBe('3');
    expect(await figure('Payments paid').innerText()).toBe('2');
    // One is not final yet.
    expect(await figure('Conversion rate').innerText()).toBe('100\u00a0%');
    await page.locator('.statistic', { hasText: 'Conversion rate' }).getByText('of 2 payments that ended').waitFor();
    await page.locator('.statistic', { hasText: 'Payments created' }).getByText('1 not final yet').waitFor();
    expect(await figure('Not paid').innerText()).toBe('0');
    await page.getByText(`2 of 3 payments paid, worth ${volume}.`).waitFor();

    // By keyboard only: every step of a plot is described in text.
    const plot = page.getByRole('slider', { name: 'Volume over time' });
    await plot.focus();
    await page.keyboard.press('End');
    expect(await plot.getAttribute('aria-valuetext')).toContain(`${volume} in 2 payments`);
    await page.locator('.plot-reading', { hasText: `${volume} in 2 payments` }).waitFor();
    await page.keyboard.press('ArrowLeft');
    expect(await plot.getAttribute('aria-valuetext')).toContain('0 in 0 payments');

    for (const { name, key } of [
      { name: 'By coin', key: 'BTC' },
      { name: 'By price currency', key: 'EUR' },
    ]) {
      const share = key === 'BTC' ? stats.by_crypto[key] : stats.by_fiat[key];
      const row = page.getByRole('region', { name }).getByRole('row', { name: new RegExp(key) });
      expect(await row.innerText()).toContain(`${share.completed} of ${share.created}`);
      const shown = key === 'BTC' ? '40.00\u00a0EUR' : amountText(String(share.volume_usd), 'USD');
      expect(await row.innerText()).toContain(shown);
    }

    await page.getByText('Tables', { exact: true }).click();
    await page.waitForURL(/show=lists/);
    expect(await page.getByRole('slider').count()).toBe(0);
    const today = page.getByRole('region', { name: 'Payments over time' }).locator('tr[data-row="0"]');
    expect((await today.innerText()).split('\t').map((cell) => cell.trim())).toEqual([
      expect.any(String),
      '3',
      '2',
      volume,
    ]);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('keeps the period in its URL', async () => {
    const watched = await console.open('owner', '/test/statistics?show=lists');
    const { page } = watched;
    await page.getByText('7 days', { exact: true }).click();
    await page.waitForURL(/period=7d/);
    await expect.poll(() => page.locator('tr[data-row]').count(), POLLING).toBe(7);
    await page.getByLabel('Group by').selectOption('month');
    await page.waitForURL(/interval=month/);
    await expect.poll(() => page.locator('tr[data-row]').count(), POLLING).toBeLessThanOrEqual(2);
    await page.getByText('Custom dates', { exact: true }).click();
    await page.getByLabel('First day').fill('2026-01-02');
    await page.getByLabel('Last day').fill('2026-01-01');
    await page.getByText('The first day must be before the last day.').waitFor();
    await page.getByLabel('Last day').fill('2026-01-05');
    await page.getByText('2 Jan 2026 to 5 Jan 2026').waitFor();
    await page.getByText('No payments were created in this period').waitFor();
    await page.goBack();
    await page.waitForURL(/interval=month/);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('draws in the colours of the theme, and redraws when the theme or the size changes', async () => {
    const watched = await console.open('staff', '/test/statistics', { colorScheme: 'light' });
    const { page } = watched;
    await page.getByRole('slider', { name: 'Payments over time' }).waitFor();
    // The plotting library was loaded with this page, from this server.
    expect(watched.requests.some((url) => /\/plot-[^/]*\.js$/.test(url))).toBe(true);
    expect(watched.requests.every((url) => url.startsWith(console.url))).toBe(true);
    const light = await page.evaluate(COLOURS);
    expect(light).not.toBe('');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => page.evaluate(COLOURS), POLLING).not.toBe(light);
    const wide = Number(await page.evaluate(PLOT_WIDTH));
    await page.setViewportSize({ width: 600, height: 900 });
    await expect.poll(async () => Number(await page.evaluate(PLOT_WIDTH)), POLLING).toBeLessThan(wide);
    await expect.poll(() => horizontalOverflow(page), POLLING).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(async () => Number(await page.evaluate(PLOT_WIDTH)), POLLING).toBe(wide);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('costs nothing on other pages, which load no chart library', async () => {
    const watched = await console.open('staff', '/settings');
    await watched.page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(watched.requests.some((url) => /plot/i.test(url))).toBe(false);
    await watched.close();
  });

  test('fits every screen and is accessible', async () => {
    const watched = await console.open('staff', '/test/statistics?period=90d');
    const { page } = watched;
    await page.getByRole('region', { name: 'By coin' }).waitFor();
    await page.getByRole('slider', { name: 'Payments over time' }).waitFor();
    await expectUsable(watched);
    await page.getByText('Tables', { exact: true }).click();
    await page.getByRole('region', { name: 'Payments over time' }).waitFor();
    await expectUsable(watched);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('suggests the next step when there is no data', async () => {
    const watched = await console.open('staff', '/statistics');
    await watched.page.getByRole('link', { name: 'create a payment link' }).click();
    await watched.page.waitForURL(/\/links/);
    await watched.close();
  });
});
