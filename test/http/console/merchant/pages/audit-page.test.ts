import { beforeAll, expect, test } from 'vitest';
import { expectUsable, seriousViolations } from '../../../../support/browser/axe.ts';
import { horizontalOverflow } from '../../../../support/browser/browser.ts';
import { POLLING } from '../../../../support/polling.ts';
import { describeConsolePages } from '../../support/describe-console.ts';
import { cutOffParts, picture } from './pages.ts';

/** A hostile name, as another user could choose it. */
const HOSTILE = '<img src=x onerror="document.title=1">';

describeConsolePages('the audit log page', {}, (console) => {
  beforeAll(async () => {
    const body = { changes: { minConfirmations: 3 }, seen: { minConfirmations: 1 } };
    expect((await console.call('owner', { method: 'PATCH', path: '/merchant/settings', body })).status).toBe(200);
    const entry = {
      merchant_id: console.merchantId,
      who: HOSTILE,
      what: 'api_key.revoked',
      subject_id: HOSTILE,
      details: JSON.stringify({ name: HOSTILE }),
      occurred_at: new Date(),
    };
    await console.db
      .insertInto('audit_entry')
      .values(Array.from({ length: 150 }, () => entry))
      .execute();
  }, 120_000);

  test('describes actions in sentences, and opens the changes at a URL of their own', async () => {
    const watched = await console.open('owner', '/audit');
    const { page } = watched;
    await page.getByLabel('About').selectOption({ label: 'Account and settings' });
    await page.waitForURL(/what=merchant/);
    const { email } = console.users.owner;
    await page.getByRole('button', { name: `View: ${email} changed the settings` }).click();
    const dialog = page.getByRole('dialog', { name: `${email} changed the settings` });
    await dialog.getByText('Minimum confirmations').waitFor();
    expect(await dialog.locator('del').innerText()).toContain('1');
    expect(await dialog.locator('ins').innerText()).toContain('3');
    await page.waitForURL(/entry=\d+/);
    expect(await seriousViolations(watched)).toEqual([]);
    const address = page.url().slice(`${console.url}/console`.length);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url(), POLLING).not.toContain('entry=');
    expect(watched.troubles).toEqual([]);
    await watched.close();

    const again = await console.open('owner', address);
    await again.page.getByRole('dialog', { name: `${email} changed the settings` }).waitFor();
    await again.close();
  });

  test('names the object of an action, linked to its page', async () => {
    const body = { url: 'https://hooks.shop.example/path?token=1', modes: ['live'] };
    const made = await console.call('owner', { method: 'POST', path: '/merchant/webhooks', body });
    expect(made.status).toBe(201);
    const watched = await console.open('owner', '/audit?what=webhook_endpoint');
    const { page } = watched;
    await page
      .getByRole('button', { name: /added a webhook endpoint$/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('link', { name: 'hooks.shop.example', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-row="0"]').getByRole('link', { name: 'hooks.shop.example', exact: true }).click();
    await page.waitForURL(new RegExp(`/webhooks/${made.data.id}$`));
    await page.getByRole('button', { name: 'Send a test event' }).waitFor();
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('names the object of an action on a tablet too', async () => {
    const watched = await console.open('owner', '/audit');
    const { page } = watched;
    await page.setViewportSize({ width: 768, height: 1024 });
    const cells = page.getByRole('row').filter({ hasText: 'added a webhook endpoint' }).first().getByRole('cell');
    await page.getByRole('columnheader', { name: 'To what' }).waitFor();
    await cells.getByRole('link', { name: 'hooks.shop.example', exact: true }).waitFor();
    await expect.poll(() => horizontalOverflow(page), POLLING).toBe(0);
    await expect.poll(() => cutOffParts(page), POLLING).toEqual([]);
    await picture(page, 'audit-768');
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('loads older entries on scroll, and shows unusual names unchanged', async () => {
    const watched = await console.open('owner', '/audit?what=api_key');
    const { page } = watched;
    const rows = () => page.locator('.table').first().getAttribute('aria-rowcount');
    await page.locator('tr[data-row="0"]').waitFor();
    expect(await page.locator('tr[data-row="0"]').innerText()).toContain(HOSTILE);
    await page.getByRole('region', { name: 'Audit log' }).focus();
    await page.keyboard.press('End');
    // The keys that come with the account, and the heading.
    await expect.poll(async () => Number(await rows()), POLLING).toBeGreaterThan(151);
    expect(await page.title()).not.toBe('1');
    expect(watched.troubles).toEqual([]);
    await page.getByLabel('Since (UTC)').fill('2100-01-01');
    await page.getByText('No entries', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.locator('tr[data-row="0"]').waitFor();
    await watched.close();
  });

  test('is not available to staff', async () => {
    const watched = await console.open('staff', '/audit');
    await watched.page.getByText('Page not found').waitFor();
    expect(await watched.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await watched.close();
  });

  test('fits every screen and is accessible', async () => {
    const watched = await console.open('owner', '/audit');
    await watched.page.locator('tr[data-row="0"]').waitFor();
    await expectUsable(watched);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});
