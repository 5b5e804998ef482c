import { beforeAll, expect, test } from 'vitest';
import { insertPayments, PLAIN } from '../../../../payments/search/rows.ts';
import { expectUsable } from '../../../../support/browser/axe.ts';
import { horizontalOverflow } from '../../../../support/browser/browser.ts';
import { POLLING } from '../../../../support/polling.ts';
import { describeConsolePages } from '../../support/describe-console.ts';
import { cutOffParts, picture } from './pages.ts';

const PHONE = { viewport: { width: 390, height: 844 } } as const;
const WIDTHS = [390, 320] as const;
/** Maximum height of the test mode strip, in px. */
const MAX_HEIGHT_PX = 28;
const LONG = 'A rather long name, '.repeat(10);

describeConsolePages('the pages of a merchant on a phone', {}, (console) => {
  beforeAll(async () => {
    const ofShop = { ...PLAIN, merchantId: console.merchantId, mode: 'test' } as const;
    const huge = 123_456_789_012_340_000_000_000_000n;
    const widest = { crypto: 'PEPE', dueBaseUnits: huge, paidBaseUnits: huge / 3n, amountFiat: '1234567.5' } as const;
    await insertPayments(console.db, [
      { ...ofShop, ...widest, id: 'txn_phone_widest', orderId: LONG, status: 'expired', exception: 'needs_review' },
      ...Array.from({ length: 30 }, (_, index) => ({ ...ofShop, id: `txn_phone_${index}`, orderId: `order-${index}` })),
    ]);
    const shared = { mode: 'test', amount: '12345678.99', currency: 'EUR' } as const;
    const schedule = { ...shared, description: LONG, interval: 'monthly', requestId: 'a', customerEmail: EMAIL };
    await post('/merchant/links', { ...shared, title: LONG.slice(0, 100), slug: `a-${console.merchantId.slice(-8)}` });
    await post('/merchant/links', { ...shared, title: 'B', slug: `b-${console.merchantId.slice(-8)}` });
    await post('/merchant/recurring', schedule);
    await post('/merchant/recurring', { ...schedule, customerEmail: 'b@customer.example', requestId: 'b' });
  }, 120_000);

  async function post(path: string, body: object): Promise<void> {
    const response = await console.call('owner', { method: 'POST', path, body });
    expect(response.status, response.text).toBeLessThan(300);
  }

  test.each([
    ['/test/payments', 'Payments', 'Amount'],
    ['/test/links', 'Payment links', 'Price'],
    ['/test/recurring', 'Recurring requests', 'State'],
    ['/audit', 'Audit log', 'Who'],
    ['/users', 'Users', 'Role'],
  ])('%s shows rows as cards of two lines, which remain a table for screen readers', async (path, label, title) => {
    const { page, troubles, close } = await console.open('owner', path, PHONE);
    const list = page.getByRole('region', { name: label });
    await list.locator('[data-row="0"]').waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => horizontalOverflow(page), POLLING).toBe(0);
      expect(await cutOffParts(page), `at ${width}`).toEqual([]);
      expect(new Set((await page.evaluate(CARDS)) as readonly string[]), `at ${width}`).toEqual(new Set(['64 px']));
      await picture(page, `phone-${label}-${width}`);
    }
    const rows = await list.locator('[data-row]').count();
    expect(await list.getByRole('row').count()).toBe(rows + 1);
    expect(await list.getByRole('columnheader', { name: title }).count()).toBe(1);
    expect(troubles).toEqual([]);
    await close();
  });

  test('filters are folded behind a button that counts them, and the search is not', async () => {
    const { page, troubles, close } = await console.open('owner', '/test/payments', PHONE);
    const list = page.getByRole('region', { name: 'Payments' });
    const status = page.getByLabel('Status');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await list.locator('[data-row="0"]').waitFor();
    expect((await list.boundingBox())?.y).toBeLessThan(PHONE.viewport.height / 2);
    expect([await status.isVisible(), await page.getByLabel('Search').isVisible()]).toEqual([false, true]);
    await button('Filters').click();
    await status.selectOption({ label: 'Paid' });
    await button('Filters (1)').waitFor();
    await page.reload();
    await button('Filters (1)').waitFor();
    expect(await status.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Clear the filters' }).click();
    await button('Filters').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await status.waitFor();
    expect(await button('Filters').isVisible()).toBe(false);
    expect(troubles).toEqual([]);
    await close();
  });

  test('pages of test data say so at the top, wherever they are scrolled', async () => {
    const watched = await console.open('owner', '/test/overview', PHONE);
    const { page, troubles, close } = watched;
    const strip = page.getByText('Test mode: no real money', { exact: true });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectUsable(watched, undefined, async ({ width }) => {
      await page.evaluate('scrollTo(0, 1e6)');
      const { y, height } = (await strip.boundingBox()) ?? { y: -1, height: 0 };
      expect([y, height > 0 && height <= MAX_HEIGHT_PX], `at ${width}`).toEqual([0, true]);
      await picture(page, `test-mode-${width}`);
    });
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await strip.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await strip.waitFor();
    const left = (await page.locator('.modes').boundingBox())?.x;
    // Settings are the same in both modes: the switch stays, the strip goes.
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await strip.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Live', exact: true }).isVisible()).toBe(true);
    // The rest of the bar does not move.
    expect((await page.locator('.modes').boundingBox())?.x).toBe(left);
    expect(troubles).toEqual([]);
    await close();
  });

  test.each(['owner', 'operator'] as const)('each entry of the menu of an %s has an icon of its own', async (who) => {
    const { page, close } = await console.open(who, '/account');
    await page.getByRole('link', { name: 'Your account' }).waitFor();
    const icons = (await page.evaluate(ICONS)) as readonly string[];
    expect(icons.length).toBeGreaterThan(10);
    expect(new Set(icons).size).toBe(icons.length);
    await close();
  });
});

// Helpers

const EMAIL = 'ada.lovelace.of.a.rather.long.name@customer.example';

/** Runs in the page: the height of each card, or what is wrong with it. */
const CARDS = `[...document.querySelectorAll('[data-row]')].map((row) => {
  const frame = row.getBoundingClientRect();
  const [above, below] = [[], []];
  for (const cell of row.cells) {
    const box = cell.getBoundingClientRect();
    if (box.height === 0) continue;
    if (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom) {
      return 'cut off: ' + cell.innerText;
    }
    (cell.matches('.card-title, .card-value') ? above : below).push((box.top + box.bottom) / 2);
  }
  if (Math.max(...above) - Math.min(...above) > 2 || Math.max(...below) - Math.min(...below) > 2) return 'more lines';
  return Math.max(...above) < Math.min(...below) ? frame.height + ' px' : 'one line';
})`;

/** Runs in the page. */
const ICONS = `[...document.querySelectorAll('.side nav a .icon')].map((icon) => icon.innerHTML)`;
