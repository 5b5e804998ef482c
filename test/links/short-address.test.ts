import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { CRYPTO_SYMBOLS, HOUR_MS, MINUTE_MS, MONITORING_MS } from '../../machines/index.ts';
import { isCode, newCode } from '../../src/links/code.ts';
import { type LinkTerms, type PaymentLink, shortAddress } from '../../src/links/index.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import { useApp } from '../http/api/support.ts';
import { describeBothDatabases, describeDatabases } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { shownToCustomer } from '../support/service/shown-to-customer.ts';
import { addLink, pay, shutLink } from './links-app.ts';

const OPEN_PRICE = { kind: 'open', minCents: 500n, maxCents: 5_000n } as const;
const addressOf = (link: PaymentLink) => shortAddress('https://pay.example.com', link);
const HTML = { accept: 'text/html' } as const;
const idIn = (location: string | undefined) => /\/transaction\/(txn_\w+)/.exec(location ?? '')?.[1] ?? '';

test('codes have 12 characters, no letter that looks like a digit, and are unique', () => {
  const codes = Array.from({ length: 1_000 }, newCode);
  expect(codes.every(isCode)).toBe(true);
  expect(new Set(codes).size).toBe(codes.length);
  for (const text of ['', 'abc', 'abcdefghjkmni', 'ABCDEFGHJKMN', 'abcdefghjkm/', 'abcdefghjkmo', 'abcdefghjkmil']) {
    expect(isCode(text), text).toBe(false);
  }
});

describeBothDatabases('the short URL of a payment link', (database) => {
  const { app } = useApp(database);

  test('shows what is sold, offers each coin with its amount, and opens a payment in the chosen one', async () => {
    const merchant = await app().addMerchant();
    const link = await addLink(app(), merchant, { title: 'Mug <b>, blue', description: '300 ml <i>', maxUses: null });
    const page = await app().open(addressOf(link));
    expect(page.status).toBe(200);
    expect(page.text).toContain('Mug &lt;b&gt;, blue');
    expect(page.text).toContain('300 ml &lt;i&gt;');
    expect(page.text).toContain('25.00 USD');
    for (const symbol of CRYPTO_SYMBOLS) expect(page.text).toContain(`value="${symbol}"`);
    expect(page.text).toMatch(/about [\d.]+ LTC/);
    expect(page.text).not.toContain('pk_test_');
    const opened = await app().post(addressOf(link), { crypto: 'LTC' });
    expect(opened.status).toBe(303);
    const { body } = await app().call<{ data: TransactionView }>({
      path: `/transactions/${idIn(opened.location)}`,
      key: merchant.keys.sk_test,
    });
    const payment = body.data;
    expect(payment).toMatchObject({
      crypto: 'LTC',
      amount_fiat: 25,
      currency_fiat: 'USD',
      metadata: { payment_link: link.slug, payment_link_title: 'Mug <b>, blue' },
      cancel_url: expect.stringContaining(`/l/${link.code}`),
    });
    const shown = /about ([\d.]+) LTC/.exec(page.text)?.[1];
    expect(Number(shown)).toBe(payment.amount_crypto);
    expect((await shownToCustomer(app(), payment.transaction_id)).title).toBe('Mug <b>, blue');
  });

  test('offers the recommended coin first, with what sending usually costs', async () => {
    const merchant = await app().addMerchant();
    const { db } = app().connection;
    await db
      .updateTable('merchant')
      .set({ settings: JSON.stringify({ recommendedCrypto: 'LTC' }) })
      .where('id', '=', merchant.id)
      .execute();
    const network = 'simulated-litecoin';
    const watching = {
      network,
      epoch: 0,
      height: 1,
      synced_until: new Date(app().clock.now()),
      coin_fee: '1410',
      fees_at: new Date(),
    };
    await db
      .insertInto('chain_cursor')
      .values(watching)
      .onConflict((conflict) => conflict.column('network').doUpdateSet(watching))
      .execute();
    const link = await addLink(app(), merchant, { maxUses: null });
    // What is known about networks may be two seconds old.
    const text = await vi.waitFor(async () => {
      const page = await app().open(addressOf(link));
      // 1,410 litoshi are a tenth of a cent.
      expect(page.text).toContain('network fee usually below 0.01 USD');
      return page.text;
    }, POLLING);
    const offered = [...text.matchAll(/value="([A-Z]+)" required/g)].map(([, symbol]) => symbol);
    expect(offered).toEqual(['LTC', ...CRYPTO_SYMBOLS.filter((symbol) => symbol !== 'LTC')]);
    expect(text).toMatch(/<b>Litecoin<\/b> <small class="tag">Recommended<\/small>/);
    expect(text.match(/network fee/g)).toHaveLength(1);
    expect(text).toContain('More coins (10)');
    await db.deleteFrom('chain_cursor').where('network', '=', network).execute();
  });

  test('redirects the same browser to its own payment, and another browser to another', async () => {
    const link = await addLink(app(), await app().addMerchant(), { maxUses: null });
    const first = await app().post(addressOf(link), { crypto: 'LTC' });
    const again = await app().post(addressOf(link), { crypto: 'LTC' }, { cookie: first.cookie ?? '' });
    const another = await app().post(addressOf(link), { crypto: 'LTC' });
    expect(again.location).toBe(first.location);
    expect(idIn(another.location)).not.toBe(idIn(first.location));
  });

  test('links this browser to its open payment, even after the link has ended, and no other browser', async () => {
    const merchant = await app().addMerchant();
    const link = await addLink(app(), merchant, { expiresAt: app().clock.now() + MINUTE_MS, maxUses: null });
    const { location = '', cookie } = await app().post(addressOf(link), { crypto: 'LTC' });
    const own = { cookie: cookie ?? '' };
    expect((await app().open(addressOf(link), own)).text).toContain(`href="${location}"`);
    app().clock.advance(MINUTE_MS);
    const over = await app().open(addressOf(link), own);
    expect([over.status, over.text]).toEqual([410, expect.stringContaining(`href="${location}"`)]);
    const otherVisitor = await app().open(addressOf(link));
    expect([otherVisitor.status, otherVisitor.text]).toEqual([410, expect.not.stringContaining(location)]);
    const single = await addLink(app(), merchant);
    const paid = await app().post(addressOf(single), { crypto: 'BTC' });
    await app().simulate(merchant.keys.sk_test, idIn(paid.location), 'pay');
    const inProgress = await app().open(addressOf(single), { cookie: paid.cookie ?? '' });
    expect([inProgress.status, inProgress.text]).toEqual([409, expect.stringContaining(`href="${paid.location}"`)]);
  });

  test('shows a late payer their payment and opens no other for them; other visitors can still pay', async () => {
    const merchant = await app().addMerchant();
    const link = await addLink(app(), merchant);
    const { location = '', cookie } = await app().post(addressOf(link), { crypto: 'LTC' });
    const own = { cookie: cookie ?? '' };
    await app().simulate(merchant.keys.sk_test, idIn(location), 'pay_late');
    expect((await app().open(addressOf(link), own)).text).toContain(`href="${location}"`);
    for (const crypto of ['LTC', 'BTC']) {
      expect((await app().post(addressOf(link), { crypto }, own)).location).toBe(location);
    }
    const otherVisitor = await app().open(addressOf(link));
    expect([otherVisitor.status, otherVisitor.text]).toEqual([200, expect.not.stringContaining(location)]);
    const other = await app().post(addressOf(link), { crypto: 'LTC' });
    expect([other.status, other.location]).toEqual([303, expect.not.stringContaining(idIn(location))]);

    await app().decide(idIn(location), 'merchant.dismissed');
    expect((await app().open(addressOf(link), own)).text).not.toContain(location);
    const anew = await app().post(addressOf(link), { crypto: 'LTC' }, own);
    expect([anew.status, anew.location]).toEqual([303, expect.not.stringContaining(idIn(location))]);
  });

  test('keeps of the customer only the browser after the window, and nothing once the payment is not watched', async () => {
    const merchant = await app().addMerchant();
    const { location } = await app().post(addressOf(await addLink(app(), merchant)), { crypto: 'LTC' });
    const stored = () =>
      app()
        .connection.db.selectFrom('transaction_status')
        .select(['status', 'client_hash', 'client_subnet_hash', 'opened_by_key', 'customer_hash'])
        .where('id', '=', idIn(location))
        .executeTakeFirst();
    const nothing = { client_hash: null, client_subnet_hash: null, opened_by_key: null, customer_hash: null };
    const opened = await stored();
    expect(Object.values(opened ?? {})).not.toContain(null);
    await app().simulate(merchant.keys.sk_test, idIn(location), 'advance_clock', { seconds: HOUR_MS / 1_000 });
    expect(await stored()).toEqual({ ...nothing, status: 'expired', customer_hash: opened?.customer_hash });
    await app().simulate(merchant.keys.sk_test, idIn(location), 'advance_clock', { seconds: MONITORING_MS / 1_000 });
    expect(await stored()).toEqual({ ...nothing, status: 'expired' });
  });

  test('accepts the form from its own page only, where the browser sends the origin', async () => {
    const link = await addLink(app(), await app().addMerchant(), { maxUses: null });
    const navigates = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors' },
      { ...navigates, 'sec-fetch-site': 'cross-site' },
      { ...navigates, 'sec-fetch-site': 'same-site' },
    ]) {
      expect((await app().post(addressOf(link), { crypto: 'LTC' }, headers)).status).toBe(403);
    }
    const own = { ...navigates, 'sec-fetch-site': 'same-origin' };
    expect((await app().post(addressOf(link), { crypto: 'LTC' }, own)).status).toBe(303);
  });

  test('shows that a used-up link is paid, and that a closed or expired one has ended', async () => {
    const merchant = await app().addMerchant();
    const single = await addLink(app(), merchant);
    const { location } = await app().post(addressOf(single), { crypto: 'LTC' });
    await app().simulate(merchant.keys.sk_test, idIn(location), 'pay');
    await app().simulate(merchant.keys.sk_test, idIn(location), 'confirm');
    const paid = await app().open(addressOf(single));
    expect([paid.status, paid.text]).toEqual([409, expect.stringContaining('This payment link has been paid')]);
    const closed = await addLink(app(), merchant);
    await shutLink(app(), closed);
    const ended = await addLink(app(), merchant, { expiresAt: app().clock.now() + HOUR_MS });
    app().clock.advance(HOUR_MS);
    for (const [link, heading] of [
      [closed, 'The shop has closed this payment link'],
      [ended, 'This payment link has expired'],
    ] as const) {
      const shown = await app().open(addressOf(link));
      expect([shown.status, shown.text]).toEqual([410, expect.stringContaining(heading)]);
      // The form of a page that was opened before leads to the reason.
      const sent = await app().post(`${addressOf(link)}?lang=de`, { crypto: 'LTC' });
      expect([sent.status, sent.location]).toEqual([303, `${link.code}?lang=de`]);
    }
  });

  test('distinguishes a link that is being paid from one that is used up, and leads only its payer to the payment', async () => {
    const merchant = await app().addMerchant();
    const link = await addLink(app(), merchant, { maxUses: 2, title: 'Two seats' });
    const open = async () => {
      const { location, cookie } = await app().post(addressOf(link), { crypto: 'LTC' });
      return { location: location ?? '', headers: { cookie: cookie ?? '' } };
    };
    const [payer, waiting, second] = [await open(), await open(), await open()];
    for (const action of ['pay', 'confirm']) await app().simulate(merchant.keys.sk_test, idIn(second.location), action);
    await app().simulate(merchant.keys.sk_test, idIn(payer.location), 'pay');

    const own = await app().open(addressOf(link), payer.headers);
    expect([own.status, own.text]).toEqual([409, expect.stringContaining('Your payment is on its way')]);
    expect(own.text).toContain(`href="${payer.location}"`);
    // A payment that is open, by the same link, would be one too many.
    for (const headers of [waiting.headers, {}]) {
      const { status, text } = await app().open(addressOf(link), headers);
      expect([status, text]).toEqual([409, expect.stringContaining('This payment link is being paid')]);
      expect(text).toContain('Come back in half an hour');
      expect(text).not.toContain('/transaction/');
    }
    await app().simulate(merchant.keys.sk_test, idIn(payer.location), 'confirm');
    const { text } = await app().open(addressOf(link));
    expect(text).toContain('This payment link is used up');
    expect(text).toContain('Two seats');
  });

  test('shows how to reach the shop when it cannot be paid', async () => {
    const merchant = await app().addMerchant();
    const link = await addLink(app(), merchant, { title: 'Mug & tea' });
    await shutLink(app(), link);
    const pages = async () => [
      (await app().open(addressOf(link))).text,
      (await pay(app(), { pk: merchant.keys.pk_test, amount: '1', crypto: 'LTC', link: link.slug }, HTML)).text,
    ];
    for (const page of await pages()) expect(page).toContain('Look for its contact details on its website');
    await app()
      .connection.db.updateTable('merchant')
      .set({ settings: JSON.stringify({ supportContact: 'help@shop.example' }) })
      .where('id', '=', merchant.id)
      .execute();
    for (const page of await pages()) {
      expect(page).toContain('id="contact" href="mailto:help@shop.example?subject=Mug%20%26%20tea"');
    }
  });
});

describeDatabases('the form behind a short URL', (database) => {
  const { app } = useApp(database);

  async function addOpen(terms: Partial<LinkTerms> = {}): Promise<PaymentLink> {
    return addLink(app(), await app().addMerchant(), { price: OPEN_PRICE, maxUses: null, ...terms });
  }

  test('asks for the amount if the payer chooses it, within the bounds', async () => {
    const link = await addOpen({ currency: 'EUR' });
    const { text } = await app().open(addressOf(link));
    expect(text).toContain('Between 5.00 EUR and 50.00 EUR');
    expect(text).toMatch(/<input id="amount"[^>]* min="5" max="50" required/);
    await assertAsyncProperty(
      fc.asyncProperty(fc.integer({ min: 1, max: 10_000 }), async (cents) => {
        const { status, text: page } = await app().post(addressOf(link), { crypto: 'LTC', amount: `${cents / 100}` });
        if (cents >= 500 && cents <= 5_000) expect(status).toBe(303);
        else expect([status, page]).toEqual([400, expect.stringMatching(/at least 5 EUR|at most 50 EUR/)]);
      }),
      { numRuns: level.runs(40) },
    );
  });

  test('takes no more than a million where the shop has set no maximum', async () => {
    const link = await addOpen({ currency: 'EUR', price: { kind: 'open', minCents: null, maxCents: null } });
    const { text } = await app().open(addressOf(link));
    expect(text).toContain('At least 1.00 EUR');
    expect(text).toMatch(/<input id="amount"[^>]* min="1" max="1000000" required/);
    const enter = (amount: string) => app().post(addressOf(link), { crypto: 'LTC', amount });
    expect((await enter('1000000')).status).toBe(303);
    const rejected = await enter('1000000.01');
    expect([rejected.status, rejected.text]).toEqual([400, expect.stringContaining('at most 1000000 EUR')]);
    // Shops that want more set a maximum.
    const large = await addOpen({ price: { kind: 'open', minCents: null, maxCents: 200_000_000n } });
    expect((await app().post(addressOf(large), { crypto: 'LTC', amount: '2000000' })).status).toBe(303);
  });

  test('rejects a coin or an amount that was not offered', async () => {
    const link = await addOpen({ cryptos: ['LTC', 'USDC'] });
    const { text } = await app().open(addressOf(link));
    expect(text.match(/name="crypto" value="\w+"/g)).toHaveLength(2);
    for (const form of [{ crypto: 'BTC', amount: '10' }, { crypto: 'XXX', amount: '10' }, { amount: '10' }]) {
      expect((await app().post(addressOf(link), form as Record<string, string>)).status).toBe(400);
    }
    for (const amount of ['', 'ten', '1e1', '-10', '10.001']) {
      expect((await app().post(addressOf(link), { crypto: 'LTC', amount })).status, amount).toBe(400);
    }
  });

  test('returns 404 for an unknown code', async () => {
    await addOpen();
    for (const code of [newCode(), 'short', 'UPPERCASE000', '%2e%2e']) {
      expect((await app().open(`/l/${code}`)).status, code).toBe(404);
      expect((await app().post(`/l/${code}`, { crypto: 'LTC' })).status, code).toBe(404);
    }
  });

  test.each([
    ['de', 'Wählen Sie den Betrag'],
    ['fr', 'Choisissez le montant'],
    ['es', 'Elija el importe'],
    ['pl', 'Wybierz kwotę'],
    ['it', 'Scelga l’importo'],
    ['pt', 'Escolha o valor'],
  ])('is shown in %s where the browser prefers it or the URL requests it', async (language, heading) => {
    const link = await addOpen();
    const preferred = await app().open(addressOf(link), { 'accept-language': language });
    const requested = await app().open(`${addressOf(link)}?lang=${language}`);
    for (const { text } of [preferred, requested]) {
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain(heading);
    }
  });
});

describeDatabases('the limits of a payment link without a key', (database) => {
  const { app } = useApp(database, { maxOpenPerKey: 3, maxOpenPerClient: 2 });

  test('are separate, and report whether this client or all clients opened too many', async () => {
    const link = await addLink(app(), await app().addMerchant(), { maxUses: null });
    const open = () => app().post(addressOf(link), { crypto: 'LTC' });
    expect([(await open()).status, (await open()).status]).toEqual([303, 303]);
    const rejected = await open();
    expect(rejected.status).toBe(429);
    expect(rejected.text).toContain('for this publishable key or payment link');
    // The form is not sent again by a reload.
    expect(rejected.text).not.toContain('http-equiv="refresh"');
  });
});
