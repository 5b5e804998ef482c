import { expect, test } from 'vitest';
import { expectUsable, seriousViolations, VIEWPORTS } from '../../../../support/browser/axe.ts';
import { POLLING } from '../../../../support/polling.ts';
import { describeConsolePages } from '../../support/describe-console.ts';
import { picture } from './pages.ts';

describeConsolePages('the "Needs attention" page', {}, (console) => {
  const after = async (crypto: string, ...steps: readonly object[]): Promise<string> => {
    const body = { crypto, amount: 25, customer_email: 'buyer@example.com' };
    const made = await console.api({ method: 'POST', path: '/transactions/create', body });
    const id: string = made.data.transaction_id;
    for (const step of steps) {
      await console.api({ method: 'POST', path: `/transactions/${id}/simulate`, body: step });
    }
    return id;
  };

  test('is empty at first, in both modes', async () => {
    for (const path of ['/needs-attention', '/test/needs-attention']) {
      const watched = await console.open('staff', path);
      await watched.page.getByText('Nothing needs attention').waitFor();
      await watched.page.getByRole('tab', { name: 'Settled' }).click();
      await watched.page.getByText('Nothing settled yet').waitFor();
      expect(watched.troubles).toEqual([]);
      await watched.close();
    }
  });

  test('an item is decided and settled in place, and its badge equals the length of the list', async () => {
    const late = await after('LTC', { action: 'pay_late' });
    await after('ETH', { action: 'drop_balance' });
    await after('LTC', { action: 'pay_partial' }, { action: 'advance_clock', seconds: 3_601 });
    await after('LTC', { action: 'overpay' }, { action: 'confirm' });
    const watched = await console.open('staff', '/test/payments');
    const { page } = watched;
    const menu = page.getByRole('link', { name: /^Needs attention/ });
    await expect.poll(async () => numberIn(await menu.textContent()), POLLING).toBe(4);
    await menu.click();
    await page.waitForURL(`${console.url}/console/test/needs-attention`);
    const lines = page.locator('.attention-item');
    await expect.poll(() => lines.count(), POLLING).toBe(4);
    expect(await seriousViolations(watched)).toEqual([]);

    await page.getByRole('button', { name: `Mark as paid: ${late}` }).click();
    await page.getByText('If you deliver now, you may lose both coins and goods.').waitFor();
    await page.getByLabel('Why?').fill('Still in stock');
    await page.getByRole('button', { name: 'Mark as paid', exact: true }).click();
    await page.getByText('Marked as paid.').waitFor();
    await expect.poll(() => lines.count(), POLLING).toBe(3);

    await page.getByRole('button', { name: /^Reject payment/ }).click();
    await page.getByLabel('Why?').fill('Not in the wallet');
    await page.getByRole('button', { name: 'Reject payment', exact: true }).click();
    await expect.poll(() => lines.count(), POLLING).toBe(2);

    await page.getByRole('button', { name: /^Mark as settled: Underpaid/ }).click();
    await page.getByRole('dialog').getByText('not confirmed yet').waitFor();
    await page.getByLabel('What was done?').fill('Sent it back');
    await page.getByRole('button', { name: 'Mark as settled', exact: true }).click();
    await expect.poll(() => lines.count(), POLLING).toBe(1);
    await expect.poll(async () => numberIn(await menu.textContent()), POLLING).toBe(1);

    await page.getByLabel('Show').selectOption({ label: 'Paid late' });
    await page.getByText('No items of this kind').waitFor();
    await page.getByRole('tab', { name: 'Settled' }).click();
    await expect.poll(() => lines.count(), POLLING).toBe(1);
    await page.getByLabel('Show').selectOption({ label: 'Everything' });
    await expect.poll(() => lines.count(), POLLING).toBe(3);
    for (const words of ['Still in stock', 'Not in the wallet', 'Sent it back']) await page.getByText(words).waitFor();
    expect(await page.getByText(console.users.staff.email).count()).toBeGreaterThanOrEqual(3);
    const { data } = await console.call('owner', { path: `/merchant/payments/${late}` });
    expect(data.events.at(-1).event).toBe('payment.completed');
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('a user who is too slow gets an error and keeps the input', async () => {
    const id = await after('LTC', { action: 'pay_late' });
    const watched = await console.open('staff', '/test/needs-attention');
    const { page } = watched;
    await page.locator('.live-dot-on').waitFor();
    await page.getByRole('button', { name: `Dismiss: ${id}` }).click();
    await page.getByRole('dialog').getByText('Wait for confirmation before you refund anything.').waitFor();
    await page.getByLabel('Why?').fill('Sold out');
    const { step: seenStep } = (await console.call('owner', { path: `/merchant/payments/${id}` })).data;
    const faster = { decision: 'mark_paid', reason: 'still here', seenStep, requestId: 'faster' };
    await console.call('owner', { method: 'POST', path: `/merchant/payments/${id}/decisions`, body: faster });
    await expect.poll(() => page.getByText(`Dismiss: ${id}`).count(), POLLING).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Dismiss', exact: true }).click();
    await page.getByRole('alert').getByText('this one is completed').waitFor();
    expect(await page.getByLabel('Why?').inputValue()).toBe('Sold out');
    expect(watched.troubles.filter((trouble) => !trouble.includes('409'))).toEqual([]);
    await watched.close();
  });

  test('fits every screen and is accessible', async () => {
    await after('ETH', { action: 'drop_balance' });
    const watched = await console.open('owner', '/test/needs-attention');
    const { page } = watched;
    await page.locator('.attention-item').first().waitFor();
    await expectUsable(watched, VIEWPORTS, ({ width }) => picture(page, `attention-${width}`));
    await page.getByRole('tab', { name: 'Settled' }).click();
    await page.getByText('Sent it back').waitFor();
    await expectUsable(watched, VIEWPORTS, ({ width }) => picture(page, `attention-settled-${width}`));
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});

// Helpers

function numberIn(text: string | null): number {
  return Number(/\d+/.exec(text ?? '')?.[0] ?? 0);
}
