import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HDKey } from '@scure/bip32';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEY_PLACEHOLDER } from '../../../../../src/web/pages/merchant/overview/snippets.ts';
import { seriousViolations } from '../../../../support/browser/axe.ts';
import type { WatchedPage } from '../../../../support/browser/browser.ts';
import { type Receiver, startReceiver } from '../../../../support/outside/receiver.ts';
import { POLLING } from '../../../../support/polling.ts';
import { type ConsolePages, describeConsolePages } from '../../support/describe-console.ts';

/** The whole onboarding of a new shop, which is long. */
const TIMEOUT_MS = 120_000;
/** Deliberate requests without a session or with wrong input. */
const IS_EXPECTED = /status of 40[01]/;
const OWNER = { email: 'ann@new-shop.example', password: 'a rather long sentence 7', shop: 'The New Shop' };

describeConsolePages(
  'a new user of the service',
  { env: { SIGN_UP: 'on', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' } },
  (console) => {
    let receiver: Receiver;
    let watched: WatchedPage;
    let page: Page;
    beforeAll(async () => {
      receiver = await startReceiver();
      watched = await console.browser.open({ viewport: { width: 1440, height: 900 } });
      page = watched.page;
    }, 120_000);
    afterAll(async () => {
      await receiver?.close();
    });

    /** The step with this title on the overview. */
    const step = (title: string) =>
      page.locator('.first-step').filter({ has: page.locator('.step-title', { hasText: title }) });
    const toOverview = () => page.getByRole('link', { name: 'Overview', exact: true }).click();
    const unfold = async (title: string) => {
      const details = step(title).locator('.step-details');
      if ((await details.getAttribute('open')) === null) await details.locator('summary').first().click();
    };
    const expectState = (title: string, state: 'done' | 'next' | 'later') =>
      expect.poll(() => step(title).locator('summary .badge').first().textContent(), POLLING).toBe(state);

    const payTest = async () => {
      const payment = step('Create your first test payment');
      await payment.getByLabel('Price').fill('19.99');
      await payment.getByRole('button', { name: 'Start a test payment' }).click();
      const opened = page.waitForEvent('popup');
      await payment.getByRole('link', { name: 'Open the payment page' }).click();
      const checkout = await opened;
      await checkout.getByRole('button', { name: 'Pay what is due' }).click();
      await checkout.getByRole('button', { name: 'Confirm' }).click();
      await checkout.getByText('Completed').first().waitFor();
      await checkout.close();
    };

    test(
      'gets an account, a test payment, a wallet, a key and a webhook endpoint by clicks only',
      async () => {
        // An account.
        await page.goto(`${console.url}/console/`);
        await page.getByRole('link', { name: 'Create an account' }).click();
        await page.getByLabel('Name of your shop').fill(OWNER.shop);
        await page.getByLabel('Email').fill(OWNER.email);
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByText('We sent a link to').waitFor();
        await page.goto(await mailedLink(console, OWNER.email));
        await page.getByLabel('Password').fill(OWNER.password);
        await page.getByRole('button', { name: 'Create the account' }).click();
        await page.getByLabel('Email').fill(OWNER.email);
        await page.getByLabel('Password').fill(OWNER.password);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('heading', { name: 'First steps' }).waitFor();
        await page.getByText('0 of 6 done').waitFor();
        await expectState('Add a wallet', 'later');

        // A payment, from the shop's and from the customer's view.
        await expectState('Create your first test payment', 'next');
        const payment = step('Create your first test payment');
        await payment.getByLabel('Price').fill('0.01');
        await payment.getByRole('button', { name: 'Start a test payment' }).click();
        await payment.locator('.field-error').waitFor();
        await payTest();
        await expectState('Create your first test payment', 'done');
        await expectState('Add a wallet', 'next');
        await expectState('Create an API key', 'later');

        // A wallet.
        await step('Add a wallet').getByRole('link', { name: 'Add a wallet' }).click();
        await page.getByRole('radio', { name: /^Litecoin/ }).check();
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByLabel('Extended public key').fill(ACCOUNT.publicExtendedKey);
        await page.getByRole('button', { name: 'Show addresses' }).click();
        await page.getByRole('radio', { name: /^Native SegWit/ }).check();
        await page.getByLabel(/^These match/).check();
        await page.getByRole('button', { name: 'Use this wallet' }).click();
        await page.getByRole('link', { name: 'Next: back to the first steps' }).click();
        await expectState('Add a wallet', 'done');
        await expectState('Create an API key', 'next');

        // A key, and the smallest possible request with it.
        await step('Create an API key').getByRole('link', { name: 'Go to API keys' }).click();
        await page.getByRole('button', { name: 'Create a key' }).first().click();
        await page.getByLabel('Mode').selectOption('test');
        await page.getByRole('button', { name: 'Create key' }).click();
        const shownOnce = page.getByRole('dialog');
        const key = (await shownOnce.locator('.once-value').textContent()) ?? '';
        expect(key).toMatch(/^sk_test_/);
        await shownOnce.getByLabel('I have stored it').check();
        await shownOnce.getByRole('button', { name: 'Done' }).click();
        await toOverview();
        await expectState('Create an API key', 'done');
        await unfold('Create an API key');
        const account = await runSnippet(step('Create an API key'), key);
        expect(account).toMatchObject({ success: true, data: { plan: { tier: expect.any(String) } } });

        // The shop's webhook endpoint.
        await expectState('Add a webhook endpoint', 'next');
        await step('Add a webhook endpoint').getByRole('link', { name: 'Go to webhooks' }).click();
        await page.getByRole('button', { name: 'Add an endpoint' }).click();
        await page.getByLabel('Address').fill(receiver.url);
        await page.getByLabel('test payments').check();
        await page.getByRole('button', { name: 'Add endpoint' }).click();
        await shownOnce.getByLabel('I have stored it').check();
        receiver.trust((await shownOnce.locator('.once-value').textContent()) ?? '');
        await shownOnce.getByRole('button', { name: 'Done' }).click();
        await page.getByRole('button', { name: 'Send a test event' }).click();
        await page.getByRole('button', { name: 'Send test event' }).click();
        await page.getByText('Your server accepted it').waitFor();
        await page.getByRole('button', { name: 'Close' }).last().click();
        expect(receiver.requests.map(({ isStandardSignatureValid }) => isStandardSignatureValid)).toEqual([true]);
        await toOverview();
        await expectState('Add a webhook endpoint', 'done');

        // Its webhook reaches the shop.
        await unfold('Create your first test payment');
        await payTest();

        // A way for customers to reach the shop.
        await expectState('Set a support contact', 'next');
        await step('Set a support contact').getByRole('link', { name: 'Go to settings' }).click();
        await page.getByLabel('Support contact').fill('help@new-shop.example');
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Saved').first().waitFor();
        await toOverview();
        await expectState('Set a support contact', 'done');
        await page.getByText('5 of 6 done').waitFor();
        await expectState('Take your first real payment', 'next');
        // The shop's server has received the webhook, too.
        await expect
          .poll(() => receiver.requests.filter(({ body }) => body.includes('payment.completed')).length, POLLING)
          .toBeGreaterThan(1);
        expect(receiver.requests.every(({ isStandardSignatureValid }) => isStandardSignatureValid)).toBe(true);

        // When all steps are done, they can be dismissed and stay dismissed.
        expect(await seriousViolations(watched)).toEqual([]);
        await page.getByRole('button', { name: 'Test', exact: true }).click();
        await page.getByText('19.99').first().waitFor();
        await page.getByRole('button', { name: 'Dismiss' }).click();
        await page.reload();
        await page.getByRole('heading', { name: 'Recent payments' }).waitFor();
        expect(await page.locator('.first-run').count()).toBe(0);
        expect(watched.troubles.filter((trouble) => !IS_EXPECTED.test(trouble))).toEqual([]);
      },
      TIMEOUT_MS,
    );
  },
);

// Helpers

const ACCOUNT = HDKey.fromMasterSeed(new Uint8Array(32).fill(11)).derive("m/84'/2'/0'");

/** The link in the newest mail to `email`. */
async function mailedLink({ db }: ConsolePages, email: string): Promise<string> {
  const newest = () =>
    sql<{ text: string }>`
      select text from mail where lower(recipient) = lower(${email}) order by created_at desc, ctid desc limit 1`.execute(
      db,
    );
  await expect.poll(async () => (await newest()).rows.length, POLLING).toBe(1);
  const [link] = /https?:\/\/\S+\/console\/\S+/.exec((await newest()).rows[0]?.text ?? '') ?? [];
  if (link === undefined) throw new Error('the mail holds no link');
  return link;
}

/**
 * Runs the snippet that the page offers to copy, with a key in place of the placeholder, and
 * returns its response.
 */
async function runSnippet(snippet: ReturnType<Page['locator']>, key: string): Promise<unknown> {
  const code = (await snippet.locator('.snippet-text').first().textContent()) ?? '';
  expect(code).toContain(KEY_PLACEHOLDER);
  const { stdout } = await promisify(execFile)('sh', ['-c', code.replaceAll(KEY_PLACEHOLDER, key)]);
  return JSON.parse(stdout);
}
