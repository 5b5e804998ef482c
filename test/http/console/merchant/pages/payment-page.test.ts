import { expect, test } from 'vitest';
import { expectUsable, seriousViolations, VIEWPORTS } from '../../../../support/browser/axe.ts';
import { POLLING } from '../../../../support/polling.ts';
import { level } from '../../../../support/run/level.ts';
import { describeConsolePages } from '../../support/describe-console.ts';
import { picture } from './pages.ts';

/** Keeps the titles of a closing dialog in `closing`, at every change of the page. */
const WATCH_CLOSING = `
  window.closing = [];
  new MutationObserver(() => {
    const closed = document.querySelector('.dialog[data-closed]');
    if (closed !== null) closing.push(closed.querySelector('h2')?.textContent ?? '');
  }).observe(document.body, { subtree: true, attributes: true, childList: true });`;

describeConsolePages('the payment page', {}, (console) => {
  const create = async (crypto: string, body: object = {}): Promise<string> => {
    const made = await console.api({
      method: 'POST',
      path: '/transactions/create',
      body: { crypto, amount: 25, ...body },
    });
    return made.data.transaction_id;
  };
  const simulate = (id: string, action: string) =>
    console.api({ method: 'POST', path: `/transactions/${id}/simulate`, body: { action } });
  const events = async (id: string): Promise<string[]> =>
    (await console.call('owner', { path: `/merchant/payments/${id}` })).data.events.map(
      ({ event }: { event: string }) => event,
    );

  test('shows the times of a late test payment by its own clock, and leads back to the list', async () => {
    const id = await create('LTC');
    await simulate(id, 'pay_late');
    const { page, close } = await console.open('staff', `/test/payments/${id}`);
    await page.getByRole('heading', { name: /Coins arrived late/ }).waitFor();
    const details = await page.locator('.detail-list').first().innerText();
    expect(details).toMatch(/Payment window ends[^(]*\(\d+ (s|min|h) ago\)|Payment window ends[^(]*\(now\)/);
    expect(await page.locator('main').innerText()).not.toMatch(/\(in \d/);
    await page.getByRole('link', { name: 'All payments' }).click();
    await page.waitForURL(`${console.url}/console/test/payments`);
    await close();
  });

  test('names the endpoint of each delivery, and only says quietly that none is subscribed', async () => {
    const id = await create('LTC');
    const endpoint = { url: 'https://hooks.shop.example/path', modes: ['test'], events: ['payment.expired'] };
    const made = await console.call('owner', { method: 'POST', path: '/merchant/webhooks', body: endpoint });
    expect(made.status).toBe(201);
    await simulate(id, 'pay_late');
    const { page, troubles, close } = await console.open('staff', `/test/payments/${id}`);
    const eventOf = (event: string) => page.locator('.webhook', { hasText: event });
    await eventOf('payment.expired').getByText('hooks.shop.example', { exact: true }).waitFor();
    await eventOf('payment.created').locator('.soft', { hasText: 'not subscribed' }).waitFor();
    await console.call('owner', { method: 'DELETE', path: `/merchant/webhooks/${made.data.id}` });
    expect(troubles).toEqual([]);
    await close();
  });

  test('a merchant simulates a payment by clicks and sees its progress', async () => {
    const id = await create('LTC', {
      customer_email: 'buyer@example.com',
      metadata: { cart: '<b>7</b>', order: 'A-1001' },
    });
    const watched = await console.open('staff', `/test/payments/${id}`);
    const { page } = watched;
    await page.getByRole('heading', { name: 'Waiting for the customer to pay' }).waitFor();
    await page.getByText('Nothing has arrived yet').first().waitFor();
    await page.locator('.detail-list').getByText('A-1001', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pay a part' }).click();
    await page.getByRole('heading', { name: 'Only part of the amount has arrived' }).waitFor();
    await page.getByRole('button', { name: 'Pay what is due' }).click();
    await page.getByRole('heading', { name: 'Paid, being confirmed' }).waitFor();
    await page.getByText('0 of 3 confirmations').first().waitFor();
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('heading', { name: 'Paid and confirmed' }).waitFor();
    expect(await page.locator('.payment-timeline-entry').count()).toBeGreaterThan(5);
    await page.getByText('payment.completed').waitFor();
    await page.getByText('"<b>7</b>"').waitFor();
    expect(await page.getByRole('link', { name: 'Open payment page' }).getAttribute('href')).toBe(
      `${console.url}/transaction/${id}`,
    );
    await page.getByRole('button', { name: 'Pay too much' }).click();
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('button', { name: 'Mark as settled: Overpaid' }).click();
    const dialog = page.getByRole('dialog');
    await page.getByLabel('What was done?').fill('Nothing yet');
    await page.evaluate(WATCH_CLOSING);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // It fades out as it was, not emptied, and opens anew.
    const titles = new Set(await page.evaluate<string[]>('closing'));
    expect([...titles]).toEqual(['Mark as settled: overpaid']);
    await page.getByRole('button', { name: 'Mark as settled: Overpaid' }).click();
    expect(await page.getByLabel('What was done?').inputValue()).toBe('');
    await page.getByLabel('What was done?').fill('Refunded');
    await page.getByRole('button', { name: 'Mark as settled', exact: true }).click();
    await page.getByText('Settled.').waitFor();
    await page.locator('.status-card').getByText('settled with the note “Refunded”').waitFor();
    await page.getByText('Excess (settled)').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('button', { name: 'Mark as settled: Overpaid' }).count(), POLLING).toBe(0);
    expect(await seriousViolations(watched)).toEqual([]);
    expect(watched.troubles).toEqual([]);
    expect(watched.requests.filter((url) => !url.startsWith(console.url))).toEqual([]);
    await watched.close();
  });

  test('a late payment is marked as paid with the keyboard only, and the shop is notified', async () => {
    const id = await create('LTC');
    await simulate(id, 'pay_late');
    const watched = await console.open('owner', `/test/payments/${id}`);
    const { page } = watched;
    await page.getByRole('heading', { name: 'Coins arrived late: do you accept them?' }).waitFor();
    await page.getByRole('button', { name: /^Mark as paid/ }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Mark this payment as paid' });
    await dialog.getByText('payment.completed').waitFor();
    const decide = dialog.getByRole('button', { name: 'Mark as paid' });
    await page.waitForFunction("document.activeElement.tagName === 'TEXTAREA'");
    await decide.click();
    expect(await page.evaluate("document.activeElement.matches(':invalid')")).toBe(true);
    expect(await seriousViolations(watched)).toEqual([]);
    await page.keyboard.type('The goods were still there');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Accepted as paid' }).waitFor();
    await page.locator('.status-card').getByText('not confirmed yet').waitFor();
    await page.getByTitle('Enough is confirmed, or a decision accepted it as paid.').first().waitFor();
    await page.locator('.toast', { hasText: 'Marked as paid.' }).waitFor();
    await page.locator('.payment-timeline q', { hasText: 'The goods were still there' }).waitFor();
    await page.getByText(console.users.owner.email).first().waitFor();
    expect(await events(id)).toEqual(['payment.created', 'payment.expired', 'payment.paid_late', 'payment.completed']);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  // At the quick level attention-page.test.ts and ../payment.test.ts cover this.
  if (level.isFull) {
    test('a user who is too slow gets an error and sees the current state', async () => {
      const id = await create('ETH');
      await simulate(id, 'drop_balance');
      const watched = await console.open('owner', `/test/payments/${id}`);
      const { page } = watched;
      await page.getByRole('button', { name: /^Auto-refresh/ }).click();
      await page.getByRole('button', { name: /^Confirm payment/ }).click();
      await page.getByLabel('Why?').fill('In the wallet');
      const { step: seenStep } = (await console.call('staff', { path: `/merchant/payments/${id}` })).data;
      const faster = { decision: 'reject', reason: 'not in the wallet', seenStep, requestId: 'faster' };
      await console.call('staff', { method: 'POST', path: `/merchant/payments/${id}/decisions`, body: faster });
      await page.getByRole('button', { name: 'Confirm payment', exact: true }).click();
      await page.getByRole('alert').getByText('this one is failed').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('heading', { name: 'This payment failed' }).waitFor();
      // The browser logs the rejection itself.
      expect(watched.troubles.filter((trouble) => !trouble.includes('409'))).toEqual([]);
      await watched.close();
    });
  }

  test('shows changes made elsewhere without a reload', async () => {
    const id = await create('LTC');
    const watched = await console.open('staff', `/test/payments/${id}`);
    const { page } = watched;
    await page.getByRole('heading', { name: 'Waiting for the customer to pay' }).waitFor();
    await page.locator('.live-dot-on').waitFor();
    await page.evaluate('globalThis.isTheSamePage = true');
    await simulate(id, 'pay');
    await page.getByRole('heading', { name: 'Paid, being confirmed' }).waitFor();
    await simulate(id, 'confirm');
    await page.getByRole('heading', { name: 'Paid and confirmed' }).waitFor();
    expect(await page.evaluate('globalThis.isTheSamePage')).toBe(true);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('shows an error for an unknown payment, and switches a test payment to its own mode', async () => {
    const id = await create('LTC');
    const watched = await console.open('staff', `/payments/${id}`);
    await watched.page.waitForURL(`${console.url}/console/test/payments/${id}`);
    await watched.page.goto(`${console.url}/console/test/payments/txn_${'0'.repeat(26)}`);
    await watched.page.getByText('Payment not found').waitFor();
    await watched.close();
  });

  test('fits every screen with everything on it, and is accessible', async () => {
    const metadata = { note: 'x'.repeat(300), cart: 'a'.repeat(90) };
    const id = await create('ETH', { customer_email: `${'long'.repeat(14)}@example.com`, metadata });
    await simulate(id, 'pay_partial');
    await simulate(id, 'drop_balance');
    const watched = await console.open('owner', `/test/payments/${id}`);
    const { page } = watched;
    await page.getByRole('heading', { name: 'Coins left the address: was it paid?' }).waitFor();
    await page.getByText('payment.needs_review').first().waitFor();
    await expectUsable(watched, VIEWPORTS, ({ width }) => picture(page, `payment-${width}`));
    await page.getByRole('button', { name: /^Reject payment/ }).click();
    await page.getByLabel('Why?').fill('a');
    await expectUsable(watched, VIEWPORTS, ({ width }) => picture(page, `payment-decision-${width}`));
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});
