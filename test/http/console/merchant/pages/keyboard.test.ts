import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { POLLING } from '../../../../support/polling.ts';
import { describeConsolePages } from '../../support/describe-console.ts';

/** More than any of these pages has. */
const MAX_STOPS = 80;

describeConsolePages('a merchant and a customer without a mouse', {}, (console) => {
  test('sign in, create a link, pay through it, and see the payment', async () => {
    const { page, troubles, close } = await console.browser.open({ viewport: { width: 1440, height: 900 } });
    const { email, password } = console.users.owner;
    await page.goto(`${console.url}/console/sign-in`);
    await page.getByLabel('Email').waitFor();
    await tabTo(page, 'Email');
    await page.keyboard.type(email);
    await tabTo(page, 'Password');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.locator('.shell').waitFor();

    await tabTo(page, 'Test');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Payment links');
    await page.keyboard.press('Enter');
    await page.getByText('No test links yet').waitFor();
    await tabTo(page, 'Create a link');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create a payment link' }).waitFor();
    await tabTo(page, 'Title');
    await page.keyboard.type('A mug');
    await tabTo(page, 'Amount');
    await page.keyboard.type('12');
    await tabTo(page, 'Create link');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'A mug' }).waitFor();
    await tabTo(page, 'See what customers see');
    const opening = page.context().waitForEvent('page');
    await page.keyboard.press('Enter');

    const shop = await opening;
    await shop.getByText('A mug').first().waitFor();
    await tabTo(shop, /^Bitcoin/);
    // One stop for all coins: arrows choose among them.
    await shop.keyboard.press('Space');
    await shop.keyboard.press('ArrowDown');
    await tabTo(shop, 'Continue to the payment');
    await shop.keyboard.press('Enter');
    await shop.waitForURL(/\/transaction\/txn_/);
    await tabTo(shop, 'Pay what is due');
    await shop.keyboard.press('Enter');
    await shop.getByRole('button', { name: 'Confirm' }).waitFor();
    await tabTo(shop, 'Confirm');
    await shop.keyboard.press('Enter');
    await shop.getByRole('heading', { level: 1, name: /complete|paid/i }).waitFor();
    await shop.close();

    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(page, 'Payments');
    await page.keyboard.press('Enter');
    await page.locator('[data-row="0"]').getByText('Paid', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => focused(page), POLLING).toBe('A mug');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/payments\/txn_/);
    await page.getByText('A mug').first().waitFor();
    expect(troubles.filter((trouble) => !/status of 401/.test(trouble))).toEqual([]);
    await close();
  });
});

// Helpers

/** Presses Tab until the focus is on what has this name, as a user without a mouse does. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    const found = await focused(page);
    if (typeof name === 'string' ? found === name : name.test(found)) return;
    passed.push(found);
    await page.keyboard.press('Tab');
  }
  throw new Error(`no stop of the Tab key is called ${name}: ${passed.join(' | ')}`);
}

/** The name of what has the focus: its label, or else its text. */
async function focused(page: Page): Promise<string> {
  const name = await page.evaluate(`(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return '';
    const labelled = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText;
    return (labelled ?? element.innerText ?? '').split('\\n')[0].trim();
  })()`);
  return String(name);
}
