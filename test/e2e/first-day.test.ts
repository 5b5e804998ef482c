import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../demo/customer.ts';
import { CONFIRMATIONS } from '../../demo/scenarios.ts';
import { waitFor } from '../../demo/wait.ts';
import { createWorld } from '../../demo/world.ts';
import { parseCoins } from '../../machines/index.ts';
import { startBrowser, type TestBrowser, type WatchedPage } from '../support/browser/browser.ts';
import { type Litecoind, startLitecoind } from '../support/nodes/litecoind.ts';
import { createTestWallet } from '../support/nodes/wallet.ts';
import { type ReceivedMail, startSmtp, type TestSmtp } from '../support/outside/smtp.ts';
import { describeWith } from '../support/run/components.ts';
import { createTestService, type RunningService } from '../support/service/service.ts';
import { type Backend, createServerBackend } from './backends.ts';

const OPERATOR = 'first@operator.example';
const OWNER = 'owner@shop.example';
const CUSTOMER = 'carol@mail.example';
const PASSWORD = 'quiet harbour 7 lanterns';

/**
 * One story from an empty database to a payment, with clicks only: each test goes on from the one
 * before.
 */
describeWith(
  'postgres',
  'litecoind',
  'chromium',
)('the first day of an installation', () => {
  let node: Litecoind;
  let smtp: TestSmtp;
  let backend: Backend;
  let service: RunningService;
  let browser: TestBrowser;
  let owner: WatchedPage;
  let linkAddress: string;
  const wallet = createTestWallet(`first day ${process.pid}`);

  beforeAll(async () => {
    [node, smtp, backend, browser] = await Promise.all([
      startLitecoind(),
      startSmtp(),
      createServerBackend(),
      startBrowser(),
    ]);
    service = await createTestService({
      env: {
        ...backend.env,
        LTC_NETWORK: 'regtest',
        LTC_RPC_URL: node.rpcUrl,
        RATES_FIXED: JSON.stringify({ LTC: '80', EUR: '1.08' }),
        SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        MAIL_FROM: 'payments@quittance.example',
      },
    });
    await service.start();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
    await backend?.remove();
    await smtp?.close();
    await node?.stop();
  });

  test('an operator enters by the printed address, creates a merchant and invites its owner', async () => {
    const [setupUrl = ''] = service.printed.flatMap((text) => /http\S+setup#\S+/.exec(text) ?? []);
    const { page, close } = await browser.open();
    await page.goto(setupUrl);
    await page.getByLabel('Email').fill(OPERATOR);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create operator' }).click();
    await page.getByRole('button', { name: 'New merchant' }).click();
    await page.getByLabel('Shop name').fill('Corner shop');
    await page.getByLabel('Owner email').fill(OWNER);
    await page.getByRole('button', { name: 'Create merchant' }).click();
    await page.getByRole('heading', { name: 'Corner shop' }).waitFor();
    await close();
    const invited = await mailTo(OWNER, /^Your login for Corner shop$/);
    const [invitation = ''] = /http\S+#\S+/.exec(invited.text ?? '') ?? [];

    owner = await browser.open();
    await owner.page.goto(invitation);
    await owner.page.getByText('You were invited to Corner shop as owner.').waitFor();
    expect(await owner.page.getByLabel('Email').inputValue()).toBe(OWNER);
    await owner.page.getByLabel('New password').fill(PASSWORD);
    await owner.page.getByRole('button', { name: 'Set the password' }).click();
    await owner.page.getByLabel('Email').fill(OWNER);
    await owner.page.getByLabel('Password').fill(PASSWORD);
    await owner.page.getByRole('button', { name: 'Sign in' }).click();
    await owner.page.getByRole('navigation').first().waitFor();
  });

  test('the owner adds a live wallet and shares a link', async () => {
    const { page } = owner;
    await page.getByRole('link', { name: 'Wallets' }).click();
    await page.getByRole('button', { name: 'Add a wallet' }).click();
    await page.getByRole('radio', { name: /^Litecoin/ }).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Extended public key').fill(wallet.extendedPublicKey);
    await page.getByRole('button', { name: 'Show addresses' }).click();
    await page.getByText(wallet.addressAt(0)).waitFor();
    await page.getByLabel(/^These match/).check();
    await page.getByRole('button', { name: 'Use this wallet' }).click();
    await page.getByRole('heading', { name: 'Your Litecoin wallet is set' }).waitFor();

    await page.getByRole('link', { name: 'Payment links' }).click();
    await page.getByRole('button', { name: 'Create a link' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Invoice 1042');
    await dialog.getByLabel('Amount').fill('25');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const shared = page.getByRole('dialog', { name: 'Invoice 1042' });
    linkAddress = await shared.getByLabel('Address', { exact: true }).locator('code').innerText();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('A receipt to the customer when a payment is complete').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Saved/).waitFor();
  });

  test('a customer chooses a coin, pays, and gets a receipt', async () => {
    const { page, close } = await browser.open();
    await page.goto(linkAddress);
    await page.getByLabel(/Litecoin/).check();
    await page.getByRole('button', { name: 'Continue to the payment' }).click();
    await page.waitForURL(/\/transaction\/txn_/);
    const { address, coins } = await quoteOn(page);
    expect(address).toBe(wallet.addressAt(0));
    await page.getByLabel('Receipt by email').fill(CUSTOMER);
    await page.locator('#send-receipt').click();
    await page.getByText('c…@mail.example').waitFor();
    const customer = createCustomer(createWorld(node));
    await customer.pay(address, parseCoins(coins, 8));
    await page.getByRole('heading', { name: 'Your payment is on its way' }).waitFor();
    await customer.mine(CONFIRMATIONS);
    await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor();
    await close();
    const receipt = await mailTo(CUSTOMER, /^Receipt for your payment to Corner shop$/);
    expect(receipt.text).toContain('Price: 25.00 EUR');
  });

  test('the owner finds the payment completed', async () => {
    const { page, troubles, close } = owner;
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByRole('table').getByText('Paid', { exact: true }).last().waitFor();
    expect(troubles).toEqual([]);
    await close();
  });

  function mailTo(address: string, subject: RegExp): Promise<ReceivedMail> {
    const find = async () =>
      smtp.mails.find((mail) => mail.envelopeTo.includes(address) && subject.test(mail.subject ?? '')) ?? null;
    return waitFor(find, () => `no mail ${subject} came, but ${smtp.mails.map((mail) => mail.subject).join(', ')}`);
  }
});

// Helpers

/** What the payment page hands to a wallet by its copy buttons. */
async function quoteOn(page: Page): Promise<{ readonly address: string; readonly coins: string }> {
  const read = async (id: string) => (await page.locator(`#copy-${id}`).getAttribute('data-copy')) ?? '';
  return { address: await read('address'), coins: await read('amount') };
}
