import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getCustomerView } from '../../../src/payments/index.ts';
import { describeBrowser, startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { type CheckoutApp, startCheckoutApp } from './checkout-app.ts';

const ADDRESS = 'ann.lee+shop@mail.example';

let app: CheckoutApp;
beforeAll(async () => {
  app = await startCheckoutApp();
});
afterAll(() => app.stop());
beforeEach(() => change({ settings: JSON.stringify({ mailCustomerReceipt: true }), approval_pending_since: null }));

function change(changes: { readonly settings?: string; readonly approval_pending_since?: Date | null }) {
  return app.database.db.updateTable('merchant').set(changes).execute();
}

async function storedOf(id: string): Promise<string | null> {
  const query = app.database.db.selectFrom('transaction').select('customer_email').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).customer_email;
}

const addressOf = (id: string) => `${app.url}/transaction/${id}`;
const textOf = async (id: string) => (await fetch(addressOf(id))).text();

function give(id: string, email: string): Promise<Response> {
  const body = new URLSearchParams({ email });
  return fetch(`${addressOf(id)}/receipt?lang=en`, { method: 'POST', body, redirect: 'manual' });
}

describe('the address for the receipt', () => {
  test('is stored as that of the customer, shown shortened, and can be corrected while the payment is open', async () => {
    const id = await app.create({ customerEmail: null });
    expect(await textOf(id)).toContain('Receipt by email');
    const response = await give(id, ` ${ADDRESS} `);
    expect([response.status, response.headers.get('location')]).toEqual([303, `../${id}`]);
    expect(await storedOf(id)).toBe(ADDRESS);
    const text = await textOf(id);
    expect(text).toContain('The receipt goes to a…@mail.example once the payment is complete.');
    expect(text).not.toContain('ann.lee');
    await give(id, 'bob@mail.example');
    expect(await storedOf(id)).toBe('bob@mail.example');
    await app.transactions.simulate(id, { action: 'pay' });
    await app.transactions.simulate(id, { action: 'confirm' });
    expect(await textOf(id)).not.toContain('mail.example');
    expect((await give(id, ADDRESS)).status).toBe(409);
    expect(await storedOf(id)).toBe('bob@mail.example');
    const over = await fetch(`${addressOf(id)}/receipt`, { redirect: 'manual' });
    expect([over.status, over.headers.get('location')]).toEqual([303, `../${id}`]);
  });

  test.each(['', 'nobody', 'a@b', 'a b@c.example', 'a@b.example\nbcc: c@d.example', `${'a'.repeat(250)}@b.example`])(
    'that is none is refused on a page that says so (%j)',
    async (email) => {
      const id = await app.create({ customerEmail: null });
      const response = await give(id, email);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('Please enter an email address like name@example.com.');
      expect(await storedOf(id)).toBeNull();
    },
  );

  test('that the merchant gave can be neither seen nor changed', async () => {
    const id = await app.create({ customerEmail: 'eve@mail.example' });
    const text = await textOf(id);
    for (const hidden of ['receipt-email', 'change-receipt', 'mail.example']) expect(text).not.toContain(hidden);
    expect((await give(id, ADDRESS)).status).toBe(409);
    expect(await storedOf(id)).toBe('eve@mail.example');
  });

  test('is asked for only where the receipt would be sent', async () => {
    const [id, live] = [
      await app.create({ customerEmail: null }),
      await app.create({ customerEmail: null, mode: 'live' }),
    ];
    expect((await app.transactions.get(live))?.receipt).toEqual({ address: null });
    await change({ approval_pending_since: new Date() });
    expect((await app.transactions.get(live))?.receipt).toBeNull();
    expect((await give(live, ADDRESS)).status).toBe(409);
    // A test payment shows how it looks, and sends none.
    expect((await app.transactions.get(id))?.receipt).toEqual({ address: null });
    await change({ settings: '{}', approval_pending_since: null });
    for (const payment of [id, live]) {
      expect((await app.transactions.get(payment))?.receipt).toBeNull();
      expect((await give(payment, ADDRESS)).status).toBe(409);
      expect(await storedOf(payment)).toBeNull();
    }
  });

  test('of a payment that does not exist is a 404 page with its style', async () => {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${addressOf('txn_00000000000000000000000000')}/receipt`, { method });
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('href="../../checkout/assets/page-');
    }
  });
});

describeBrowser('the field for the receipt', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test('keeps what is typed when the page updates, and sends it', async () => {
    const id = await app.create({ customerEmail: null });
    const { page, troubles, close } = await browser.open();
    await page.goto(addressOf(id));
    await page.fill('#receipt-email', 'ann.lee');
    await app.transactions.simulate(id, { action: 'pay_partial' });
    await page.getByText('is still missing').first().waitFor();
    expect(await page.inputValue('#receipt-email')).toBe('ann.lee');
    await page.keyboard.type('@mail.example');
    await page.keyboard.press('Enter');
    await page.getByText('The receipt goes to a…@mail.example').waitFor();
    expect(await storedOf(id)).toBe('ann.lee@mail.example');
    expect(troubles).toEqual([]);
    await close();
  });

  test('works without script at 320 px, on a page that does not reload', async () => {
    const id = await app.create({ customerEmail: null });
    const { page, close } = await browser.open({ javaScriptEnabled: false, viewport: { width: 320, height: 700 } });
    await page.goto(`${addressOf(id)}?lang=de`);
    expect(await page.locator('#receipt-email').isVisible()).toBe(false);
    await page.click('#to-receipt');
    expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(0);
    await page.fill('#receipt-email', 'ann@localhost');
    await page.click('#send-receipt');
    await page.getByText('Bitte geben Sie eine E-Mail-Adresse').waitFor();
    expect(await page.inputValue('#receipt-email')).toBe('ann@localhost');
    await page.fill('#receipt-email', ADDRESS);
    await page.click('#send-receipt');
    await page.getByText('Der Beleg geht an a…@mail.example').waitFor();
    await page.getByText('Es wird keine E-Mail gesendet.').waitFor();
    expect(await storedOf(id)).toBe(ADDRESS);
    await close();
  });
});

test('a service that sends no emails offers no receipt for live payments', async () => {
  const { db } = app.database;
  const deps = { db, networks: { contractOf: () => null }, overview: { isPayable: async () => true }, publicUrl: '' };
  const id = await app.create({ customerEmail: null, mode: 'live' });
  expect((await getCustomerView({ ...deps, sendsMails: true }, id))?.receipt).toEqual({ address: null });
  expect((await getCustomerView({ ...deps, sendsMails: false }, id))?.receipt).toBeNull();
});
