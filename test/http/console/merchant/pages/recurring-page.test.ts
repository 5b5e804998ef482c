import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectUsable, TABLET_TOO } from '../../../../support/browser/axe.ts';
import { horizontalOverflow } from '../../../../support/browser/browser.ts';
import { POLLING } from '../../../../support/polling.ts';
import { describeConsolePages } from '../../support/describe-console.ts';
import { picture } from './pages.ts';

const HOSTILE = '<img src=x onerror="document.title=1">"\'&amp;';
const MONTHLY = { mode: 'test', amount: '24.99', currency: 'EUR', interval: 'monthly' } as const;

describeConsolePages('the recurring requests pages of a merchant', {}, (console) => {
  let requests = 0;

  /** Horizontal overflow of the page, or of its dialog, in px. */
  async function overflowOf(page: Page): Promise<number> {
    const inDialog: unknown = await page.evaluate(
      "Math.max(0, ...[...document.querySelectorAll('.dialog-body')].map((body) => body.scrollWidth - body.clientWidth))",
    );
    return Math.max(await horizontalOverflow(page), Number(inDialog));
  }

  async function post(path: string, body: object): Promise<{ readonly id: string }> {
    const response = await console.call('owner', { method: 'POST', path: `/merchant/recurring${path}`, body });
    expect(response.status, response.text).toBeLessThan(300);
    return response.data;
  }

  test('a merchant that awaits approval sees so where a request is created, and can try it in test mode', async () => {
    const set = (approval_pending_since: Date | null) =>
      console.db.updateTable('merchant').set({ approval_pending_since }).where('id', '=', console.merchantId).execute();
    await set(new Date());
    try {
      const { page, close } = await console.open('owner', '/recurring');
      await page.getByRole('status').filter({ hasText: 'Your account is awaiting approval' }).waitFor();
      expect(await page.getByRole('button', { name: 'New recurring payment request' }).first().isDisabled()).toBe(true);
      await picture(page, 'not-approved-1440');
      const body = { ...MONTHLY, mode: 'live', requestId: 'live', customerEmail: 'a@b.example', description: 'Tea' };
      const rejected = await console.call('owner', { method: 'POST', path: '/merchant/recurring', body });
      expect(rejected).toMatchObject({ status: 403, error: 'MERCHANT_NOT_APPROVED' });
      await page.goto(`${console.url}/console/test/recurring`);
      await page.getByText('No test requests yet').waitFor();
      expect(await page.getByRole('button', { name: 'New recurring payment request' }).first().isEnabled()).toBe(true);
      await close();
    } finally {
      await set(null);
    }
  });

  test('a customer confirms, gets a payment request, pays, and the schedule is ended, by clicks', async () => {
    const { page, troubles, close } = await console.open('staff', '/test/recurring');
    await page.getByText('No test requests yet').waitFor();
    await page.getByRole('button', { name: 'New recurring payment request' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Customer email').fill('ada@customer.example');
    await dialog.getByLabel('Description').fill('Coffee every month');
    await dialog.getByLabel('Amount').fill('1234,5');
    await dialog.getByText('More: first date').click();
    await dialog.getByLabel('Your reference').fill('customer 7');
    await dialog.getByLabel('Return URL').fill('javascript:alert(1)');
    await picture(page, 'create-1440');
    expect(await dialog.getByLabel('What the customer receives').innerText()).toMatch(/1,234\.50\sEUR every month/);
    await dialog.getByRole('button', { name: 'Request consent' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/successUrl must be an https/)
      .waitFor();
    await dialog.getByLabel('Return URL').fill('');
    await dialog.getByRole('button', { name: 'Request consent' }).click();

    await page.getByRole('heading', { name: 'Coffee every month' }).waitFor();
    await page.getByText('Waiting for consent').waitFor();
    await page.getByRole('button', { name: 'Resend request…' }).click();
    await dialog.getByText('ada@customer.example receives the email with the button again.').waitFor();
    await dialog.getByRole('button', { name: 'Resend request' }).click();
    await expect.poll(() => page.getByText('Awaiting consent').count(), POLLING).toBe(2);

    await page.getByRole('button', { name: 'Agree', exact: true }).click();
    await page.getByText('The next payment is requested on').waitFor();
    const table = page.getByRole('region', { name: 'Requested payments' });
    await table.getByText('Requested').waitFor();
    const link = await table.getByRole('link', { name: /Open/ }).getAttribute('href');
    expect((await fetch(link ?? '')).status).toBe(200);
    await page.getByRole('button', { name: 'Advance to the next payment' }).click();
    await table.getByText('Not paid').waitFor();
    await picture(page, 'schedule-1440');

    await page.getByRole('button', { name: 'Pause…' }).click();
    await dialog.getByText('The customer receives no emails until you resume it').waitFor();
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Paused', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Resume…' }).click();
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel request…' }).click();
    await dialog.getByText('It cannot be restarted').waitFor();
    await picture(page, 'end-1440');
    await dialog.getByRole('button', { name: 'Cancel request', exact: true }).click();
    await page.getByText('You ended it.').waitFor();

    await page.getByRole('link', { name: 'All recurring requests' }).click();
    await page.getByLabel('State').selectOption({ label: 'Active' });
    await page.getByText('Nothing matches').waitFor();
    await page.getByLabel('State').selectOption({ label: 'Ended by you' });
    await page.getByLabel('Your reference').fill('customer 7');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.waitForURL(/status=cancelled&reference=customer/);
    await page.getByRole('link', { name: 'ada@customer.example' }).waitFor();
    // The browser logs the rejected address.
    expect(troubles.filter((trouble) => !/status of 400/.test(trouble))).toEqual([]);
    await close();
  });

  test('fit every screen and are accessible, with texts that look like markup', async () => {
    requests += 1;
    const texts = { description: `${HOSTILE}${'x'.repeat(200)}`, reference: HOSTILE };
    const customerEmail = `ada.lovelace.of.a.rather.long.name.${requests}@customer.example`;
    const { id } = await post('', { ...MONTHLY, ...texts, customerEmail, requestId: `r${requests}` });
    await post(`/${id}/simulate`, { action: 'confirm' });
    await post(`/${id}/simulate`, { action: 'advance_clock', to: Date.now() + 70 * 86_400_000 });
    // The widest values next to a customer, whose name must stay visible.
    const wide = { ...MONTHLY, amount: '12345678.99', description: 'Rent', customerEmail: 'b@customer.example' };
    const other = await post('', { ...wide, requestId: `wide-${requests}` });
    await post(`/${other.id}/simulate`, { action: 'stop' });
    const watched = await console.open('owner', '/test/recurring');
    const { page, troubles, close } = watched;
    const check = (part: string) =>
      expectUsable(watched, TABLET_TOO, async ({ width }) => {
        expect(await overflowOf(page), part).toBe(0);
        await picture(page, `${part}-${width}`);
      });
    await page.getByRole('link', { name: customerEmail }).waitFor();
    await page.getByText('Stopped by the customer').last().waitFor();
    await check('list');
    await page.getByRole('button', { name: 'New recurring payment request' }).first().click();
    await page.getByText('More: first date').click();
    await check('create');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: customerEmail }).click();
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    await page.getByText('Not paid').first().waitFor();
    await check('schedule');
    expect(troubles).toEqual([]);
    await close();
  });
});
