import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { TransactionView } from '../../../../src/payments/index.ts';
import { addLink, cookieOf, type PayParameters, pay, transactionOf } from '../../../links/links-app.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../../support/run/fast-check.ts';
import { level } from '../../../support/run/level.ts';
import { startApp } from '../../../support/service/app.ts';
import { countWritten, expectProblem, useApp } from '../support.ts';

const LIVE_RATES = { LTC: '80', EUR: '1.08' };
/** What a browser sends when its user follows a link. */
const NAVIGATION = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
const DAY_MS = 24 * 60 * 60 * 1_000;

describeDatabases('GET /pay', (database) => {
  const { app, merchant } = useApp(database, { liveRates: LIVE_RATES });
  let customers = 0;

  /** Each test has its own customers, without open payments. */
  function newCustomer(): { from: string; cookie?: string | null } {
    customers += 1;
    return { from: `10.1.${customers >> 8}.${customers & 255}` };
  }

  const order = (more: PayParameters = {}) => ({ pk: merchant().keys.pk_test, amount: '25', crypto: 'LTC', ...more });
  const open = (more?: PayParameters, customer = newCustomer()) => pay(app(), order(more), customer);

  async function read(id: string, key = merchant().keys.sk_test): Promise<TransactionView> {
    const { status, body } = await app().call<{ data: TransactionView }>({ path: `/transactions/${id}`, key });
    expect(status).toBe(200);
    return body.data;
  }

  test('creates the requested payment and redirects the browser to its page', async () => {
    const response = await open({ amount: '19.99', currency: 'EUR' });
    const transaction = await read(transactionOf(response));
    expect(transaction).toMatchObject({
      status: 'pending',
      type: 'basic',
      crypto: 'LTC',
      amount_fiat: 19.99,
      currency_fiat: 'EUR',
      metadata: null,
      success_url: null,
    });
    expect(await read(transactionOf(await open()))).toMatchObject({ amount_fiat: 25, currency_fiat: 'USD' });
  });

  test('no response is cached or sends a referrer to another site', async () => {
    for (const response of [await open(), await open({ amount: 'x' }), await open({ pk: 'pk_test_unknown' })]) {
      expect(response.headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        vary: 'Accept, Accept-Language',
        'x-ratelimit-limit': '1000000',
      });
    }
  });

  test('rule 37: a live key accepts live payments into the wallet of the merchant, and reports when there is none', async () => {
    const owner = await app().addMerchant();
    const { pk_live, sk_live, sk_test } = owner.keys;
    expectProblem(await open({ pk: pk_live }), 400, 'WALLET_NOT_CONFIGURED');
    await app().addLiveWallet(owner);
    const id = transactionOf(await open({ pk: pk_live }));
    expect((await read(id, sk_live)).deposit_address).toMatch(/^ltc1/);
    expectProblem(await app().call({ path: `/transactions/${id}`, key: sk_test }), 404, 'TRANSACTION_NOT_FOUND');
  });

  test('rule 46: a secret key in the URL is rejected with the advice to revoke it, valid or not, and is not repeated', async () => {
    const { sk_live, sk_test } = merchant().keys;
    const before = await countWritten(app());
    for (const pk of [sk_live, sk_test, 'sk_live_unknown', 'sk_', ` ${sk_live}`, sk_test.toUpperCase()]) {
      // This check precedes all others.
      for (const more of [{}, { amount: 'x', crypto: 'x', link: 'x' }]) {
        const response = await open({ pk, ...more });
        const { message } = expectProblem(response, 401, 'UNAUTHORIZED');
        expect(message).toMatch(/Revoke it now/);
        expect(JSON.stringify([response.text, response.headers])).not.toContain(pk.trim().slice(8) || 'sk_live_');
      }
    }
    expect(await countWritten(app())).toEqual(before);
  });

  test('an unknown or revoked key is rejected before anything else is checked', async () => {
    const { id, keys } = await app().addMerchant();
    transactionOf(await open({ pk: keys.pk_test }));
    const { db } = app().connection;
    await db.updateTable('api_key').set({ revoked_at: new Date() }).where('merchant_id', '=', id).execute();
    for (const pk of [keys.pk_test, 'pk_test_unknown', 'x', '', 'pk_live_', '\u0000', 'ä'.repeat(5_000)]) {
      const response = await open({ pk, amount: 'x' });
      expectProblem(response, 401, 'UNAUTHORIZED');
      expect(response.headers['www-authenticate']).toBe('Bearer realm="quittance"');
    }
  });

  test.each<[string, PayParameters, string, string]>([
    ['no key', { pk: undefined }, 'INVALID_REQUEST', 'pk'],
    ['no amount', { amount: undefined }, 'INVALID_REQUEST', 'amount'],
    ['no coin', { crypto: undefined }, 'INVALID_REQUEST', 'crypto'],
    ['an amount that is no decimal', { amount: '25,00' }, 'INVALID_AMOUNT', 'amount'],
    ['an amount with three decimals', { amount: '25.001' }, 'INVALID_AMOUNT', 'amount'],
    ['an amount with an exponent', { amount: '1e3' }, 'INVALID_AMOUNT', 'amount'],
    ['a negative amount', { amount: '-25' }, 'INVALID_AMOUNT', 'amount'],
    ['an amount of nothing', { amount: '0' }, 'INVALID_AMOUNT', 'amount'],
    ['an empty amount', { amount: '' }, 'INVALID_AMOUNT', 'amount'],
    ['an amount above the maximum', { amount: '1000000000001' }, 'INVALID_AMOUNT', 'amount'],
    ['less than 1.00 USD', { amount: '0.99' }, 'AMOUNT_TOO_LOW', 'amount'],
    ['less than 1.00 USD in another currency', { amount: '0.92', currency: 'EUR' }, 'AMOUNT_TOO_LOW', 'amount'],
    ['a coin there is not', { crypto: 'XMR' }, 'INVALID_CRYPTO', 'crypto'],
    ['a coin in small letters', { crypto: 'ltc' }, 'INVALID_CRYPTO', 'crypto'],
    ['a currency there is not', { currency: 'JPY' }, 'INVALID_CURRENCY', 'currency'],
    ['an empty link', { link: '' }, 'INVALID_REQUEST', 'link'],
    ['a link there is not', { link: 'nothing' }, 'INVALID_REQUEST', 'link'],
    ['a link no database could hold', { link: 'a\u0000b' }, 'INVALID_REQUEST', 'link'],
  ])('%s is a named error, and creates nothing', async (_, wrong, code, field) => {
    const before = await countWritten(app());
    expect(expectProblem(await open(wrong), 400, code).details).toMatchObject([{ field }]);
    expect(await countWritten(app())).toEqual(before);
  });

  test.each(['pk', 'amount', 'crypto', 'currency', 'link'])('%s may be given only once', async (name) => {
    const query = new URLSearchParams({ ...order(), currency: 'USD' });
    if (name === 'link') query.append(name, 'one');
    query.append(name, query.get(name) ?? '');
    const response = await app().call({ path: `/pay?${query}`, key: null });
    expectProblem(response, 400, 'INVALID_REQUEST');
  });

  test('unknown parameters are ignored: shared links get some added', async () => {
    transactionOf(await open({ fbclid: 'x', utm_source: 'newsletter' }));
  });

  test('an Authorization header has no effect, and does not replace a missing key', async () => {
    const key = merchant().keys.sk_test;
    const path = `/pay?${new URLSearchParams(order())}`;
    expect((await app().call({ path, key, remoteAddress: newCustomer().from })).status).toBe(302);
    expectProblem(await app().call({ path: '/pay?amount=25&crypto=LTC', key }), 400, 'INVALID_REQUEST');
  });

  test('only GET creates a payment: scanners use HEAD', async () => {
    const before = await countWritten(app());
    const path = `/pay?${new URLSearchParams(order())}`;
    for (const method of ['HEAD', 'POST', 'PUT'] as const) {
      expect((await app().call({ method, path, key: null })).status).toBe(404);
    }
    expect(await countWritten(app())).toEqual(before);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['an image of a page', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }],
    ['a script that asks', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }],
    ['a document that is not navigated to', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'no-cors' }],
    ['a prefetch', { ...NAVIGATION, 'sec-purpose': 'prefetch;anonymous-client-ip' }],
    ['a page rendered ahead', { ...NAVIGATION, 'sec-purpose': 'Prefetch;prerender' }],
    ['a prefetch of an older browser', { purpose: 'prefetch' }],
  ])('%s, without a click, creates nothing', async (_, headers) => {
    const before = await countWritten(app());
    for (const accept of ['application/json', 'image/avif,image/webp,*/*;q=0.8']) {
      const response = await pay(app(), order(), { ...newCustomer(), headers, accept });
      expect(expectProblem(response, 403, 'FORBIDDEN').message).toMatch(/link or form/);
      expect(response.headers['set-cookie']).toBeUndefined();
    }
    const page = await pay(app(), order(), { ...newCustomer(), headers, accept: 'text/html' });
    expect(page).toMatchObject({ status: 403, text: expect.stringContaining('This checkout cannot be opened') });
    expect(await countWritten(app())).toEqual(before);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a browser that is sent here from another site', { ...NAVIGATION, 'sec-fetch-site': 'cross-site' }],
    ['fetch of Node.js, which sends a mode alone', { 'sec-fetch-mode': 'cors' }],
  ])('%s creates a payment', async (_, headers) => {
    transactionOf(await pay(app(), order(), { ...newCustomer(), headers }));
  });

  test('rule 45: the same customer with the same request gets the same payment, every other customer their own', async () => {
    const sameness = [
      { amount: '25' },
      { amount: '25.00' },
      { amount: '25.5' },
      { currency: 'EUR' },
      { currency: 'USD' },
      { crypto: 'BTC' },
      { pk: merchant().keys.pk_test },
    ];
    const link = await addLink(app(), merchant(), { maxUses: null });
    const other = await addLink(app(), merchant(), { maxUses: null });
    const wishes = [
      ...sameness,
      { link: link.slug },
      { link: link.slug, amount: '7', currency: 'x' },
      { link: other.slug },
    ];
    const request = fc.record({ wish: fc.constantFrom(...wishes), customer: fc.nat({ max: 2 }) });
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), async (requests) => {
        const customers = [newCustomer(), newCustomer(), newCustomer()];
        const opened = new Map<string, string>();
        for (const { wish, customer } of requests) {
          const { amount = '25', crypto = 'LTC', currency = 'USD', link: slug } = { ...wish } as PayParameters;
          const price = slug === undefined ? [Number(amount), currency] : [];
          const key = JSON.stringify([customer, crypto, slug, ...price]);
          const id = transactionOf(await open(wish, customers[customer]));
          expect(opened.get(key) ?? id).toBe(id);
          opened.set(key, id);
        }
        expect(new Set(opened.values()).size).toBe(opened.size);
      }),
      { numRuns: level.runs(15) },
    );
  });

  test('a customer with many concurrent requests gets one payment and one address', async () => {
    const owner = await app().addMerchant();
    const elsewhere = await app().addMerchant();
    const cookie = cookieOf(await open({ pk: elsewhere.keys.pk_test }));
    const customer = { ...newCustomer(), cookie };
    const responses = await Promise.all(Array.from({ length: 12 }, () => open({ pk: owner.keys.pk_test }, customer)));
    const [id, ...others] = new Set(responses.map(transactionOf));
    expect(others).toEqual([]);
    const taken = await app()
      .connection.db.selectFrom('transaction')
      .innerJoin('address', 'address.transaction_id', 'transaction.id')
      .select('transaction.id')
      .where('merchant_id', '=', owner.id)
      .execute();
    expect(taken).toEqual([{ id }]);
  });

  test('a customer is identified by the cookie of the redirect, from any address, and by nothing else', async () => {
    const { from } = newCustomer();
    const first = await open({}, { from, cookie: null });
    const cookie = cookieOf(first);
    expect(first.headers['set-cookie']).toMatch(
      /^quittance_customer=[\w-]{32}; Max-Age=172800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const visits = [
      await open({}, { from, cookie: null }),
      await open({}, { from, cookie: null }),
      await open({}, { from, cookie: 'quittance_customer=known' }),
      await open({}, { from, cookie: `quittance_customer=${'x'.repeat(33)}` }),
    ];
    expect(new Set([first, ...visits].map(transactionOf)).size).toBe(5);
    expect(new Set([first, ...visits].map(cookieOf)).size).toBe(5);
    const again = await open({}, { ...newCustomer(), cookie });
    expect([transactionOf(again), cookieOf(again)]).toEqual([transactionOf(first), cookie]);
    // Only the redirect sets it.
    expect((await open({ amount: 'x' }, { from, cookie: null })).headers['set-cookie']).toBeUndefined();
  });

  test('the cookie is limited to https where customers use https', async () => {
    const secure = await startApp({ connection: database(), isHttps: true });
    try {
      const first = await pay(secure, order(), { cookie: null });
      expect(first.headers['set-cookie']).toMatch(
        /^__Host-quittance-customer=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
      const again = await pay(secure, order(), { cookie: cookieOf(first) });
      expect(transactionOf(again)).toBe(transactionOf(first));
    } finally {
      await secure.stop();
    }
  });

  test('a key has no more open unpaid payments than the service allows, across all processes', async () => {
    const apps = [
      await startApp({ connection: database(), maxOpenPerKey: 5 }),
      await startApp({ connection: database(), maxOpenPerKey: 5 }),
    ];
    try {
      const owner = await app().addMerchant();
      const { pk_test: pk, sk_test } = owner.keys;
      const visit = (index: number, options = {}) =>
        pay(apps[index % 2] ?? app(), order({ pk }), { cookie: null, ...newCustomer(), ...options });
      const responses = await Promise.all(Array.from({ length: 12 }, (_, index) => visit(index)));
      const opened = responses.filter(({ status }) => status === 302);
      expect(opened).toHaveLength(5);
      for (const rejected of responses.filter(({ status }) => status !== 302)) {
        expectProblem(rejected, 429, 'TOO_MANY_OPEN_PAYMENTS');
        expect(rejected.headers['retry-after']).toBe('60');
      }
      const page = await visit(0, { accept: 'text/html' });
      expect(page).toMatchObject({
        status: 429,
        text: expect.stringContaining('This shop has too many open payments'),
      });
      // Customers with an open payment continue with it; other keys and secret keys are unaffected.
      const [first] = opened;
      if (first === undefined) throw new Error('nothing was opened');
      expect(transactionOf(await visit(1, { cookie: cookieOf(first) }))).toBe(transactionOf(first));
      transactionOf(await open());
      await app().create(sk_test);
      // A paid or expired one makes room for another.
      await app().simulate(sk_test, transactionOf(first), 'pay');
      transactionOf(await visit(0));
      expectProblem(await visit(1), 429, 'TOO_MANY_OPEN_PAYMENTS');
      await app().simulate(sk_test, transactionOf(opened[1] ?? first), 'advance_clock', { seconds: 31 * 60 });
      transactionOf(await visit(1));
      expectProblem(await visit(0), 429, 'TOO_MANY_OPEN_PAYMENTS');
    } finally {
      for (const each of apps) await each.stop();
    }
  });

  test('a client is limited to a share of the open payments of a key, and leaves the rest to others', async () => {
    const limits = { connection: database(), maxOpenPerKey: 5, maxOpenPerClient: 3 };
    const apps = [await startApp(limits), await startApp(limits)];
    try {
      const owner = await app().addMerchant();
      const { pk_test: pk, sk_test } = owner.keys;
      const visit = (index: number, from: string, options = {}) =>
        pay(apps[index % 2] ?? app(), order({ pk }), { cookie: null, from, ...options });
      const hashes = async () => {
        const { rows } = await sql<{ id: string; hash: string | null }>`
          select id, client_subnet_hash as hash from transaction where merchant_id = ${owner.id}`.execute(
          app().connection.db,
        );
        return new Map(rows.map(({ id, hash }) => [id, hash]));
      };
      // A residential customer has a whole /56, with more addresses than can be counted.
      const responses = await Promise.all(
        Array.from({ length: 9 }, (_, index) => visit(index, `2001:db8:1:20${index}::1`)),
      );
      const opened = responses.filter(({ status }) => status === 302).map(transactionOf);
      expect(opened).toHaveLength(3);
      for (const rejected of responses.filter(({ status }) => status !== 302)) {
        expectProblem(rejected, 429, 'TOO_MANY_OPEN_PAYMENTS');
        expect(rejected.headers['retry-after']).toBe('60');
        expect(rejected.body).toMatchObject({
          details: [{ field: 'client_address', message: expect.stringContaining('PAY_MAX_OPEN_PER_CLIENT') }],
        });
      }
      for (const [acceptLanguage, heading] of [
        ['en', 'Too many payments are open from your internet connection'],
        ['de', 'Über Ihren Internetanschluss sind zu viele Zahlungen offen'],
      ] as const) {
        const page = await visit(0, '2001:db8:1:2ff::1', { accept: 'text/html', acceptLanguage });
        expect(page).toMatchObject({ status: 429, text: expect.stringContaining(heading) });
      }
      // No address is stored, and all of a network have one hash.
      const stored = [...(await hashes()).values()];
      expect(new Set(stored).size).toBe(1);
      expect(stored[0]).toMatch(/^[0-9a-f]{64}$/);
      // The next network can use the rest of the key's limit, and is then rejected by that limit.
      const others = [await visit(0, '2001:db8:1:300::1'), await visit(1, '203.0.113.9')].map(transactionOf);
      const full = await visit(0, '203.0.113.10');
      expectProblem(full, 429, 'TOO_MANY_OPEN_PAYMENTS');
      expect(full.body).not.toHaveProperty('details');
      // A paid or expired one makes room for another of the same network.
      await app().simulate(sk_test, opened[0] ?? '', 'pay');
      await app().simulate(sk_test, others[0] ?? '', 'advance_clock', { seconds: 31 * 60 });
      transactionOf(await visit(0, '2001:db8:1:2aa::1'));
      expectProblem(await visit(1, '2001:db8:1:2bb::1'), 429, 'TOO_MANY_OPEN_PAYMENTS');
      expect((await hashes()).get(others[0] ?? '')).toBeNull();
    } finally {
      for (const each of apps) await each.stop();
    }
  });

  test('a request after a payment was made, or after the window, opens another payment', async () => {
    const customer = newCustomer();
    const { sk_test } = merchant().keys;
    const first = transactionOf(await open({}, customer));
    await app().simulate(sk_test, first, 'pay');
    const second = transactionOf(await open({}, customer));
    expect(second).not.toBe(first);
    await app().simulate(sk_test, second, 'advance_clock', { seconds: 31 * 60 });
    expect(transactionOf(await open({}, customer))).not.toBe(second);
  });

  test('a key with one open payment per address rejects another one, and links to the open one', async () => {
    const owner = await app().addMerchant();
    const { db } = app().connection;
    await db
      .updateTable('api_key')
      .set({ one_open_payment_per_ip: true })
      .where('merchant_id', '=', owner.id)
      .execute();
    const customer = newCustomer();
    const { pk_test: pk } = owner.keys;
    const link = await addLink(app(), owner, { maxUses: null });
    const id = transactionOf(await open({ pk }, customer));
    expect(transactionOf(await open({ pk }, customer))).toBe(id);
    for (const other of [{ amount: '26' }, { crypto: 'BTC' }, { currency: 'EUR' }, { link: link.slug }]) {
      const rejected = await open({ pk, ...other }, customer);
      expect(rejected).toMatchObject({
        status: 409,
        body: { error: 'ACTIVE_TRANSACTION_EXISTS', existing_transaction: { transaction_id: id } },
      });
      const page = await pay(app(), order({ pk, ...other }), { ...customer, accept: 'text/html' });
      expect(page.status).toBe(409);
      expect(page.text).toContain(`href="https://pay.example.com/transaction/${id}"`);
    }
    // Another customer with the same address is rejected as well, and does not see the payment.
    for (const accept of ['application/json', 'text/html']) {
      const other = await pay(app(), order({ pk }), { ...customer, cookie: null, accept });
      expect(other.status).toBe(429);
      expect(other.text).toContain('TOO_MANY_OPEN_PAYMENTS');
      expect(other.text).not.toContain(id);
      // It is not the shop that has too many.
      expect(other.text).toContain(accept === 'text/html' ? 'from your internet connection' : 'client_address');
    }
  });

  test('rule 42: a link decides on price, currency and return URL, and is named in the metadata', async () => {
    const successUrl = 'https://shop.example.com/thanks';
    const link = await addLink(app(), merchant(), {
      price: { kind: 'fixed', cents: 1_999n },
      currency: 'EUR',
      successUrl,
      title: 'Ticket',
    });
    const response = await open({ link: link.slug, amount: '1', currency: 'nonsense' });
    expect(await read(transactionOf(response))).toMatchObject({
      amount_fiat: 19.99,
      currency_fiat: 'EUR',
      success_url: successUrl,
      metadata: { payment_link: link.slug, payment_link_title: 'Ticket' },
    });
    expectProblem(await open({ link: link.slug, amount: 'x' }), 400, 'INVALID_AMOUNT');
  });

  test('a link without a price accepts amounts within its limits, in its own currency', async () => {
    const price = { kind: 'open', minCents: 500n, maxCents: 5_000n } as const;
    const { slug: link } = await addLink(app(), merchant(), { price, currency: 'GBP', maxUses: null });
    for (const amount of ['5', '50.00', '12.34']) {
      const transaction = await read(transactionOf(await open({ link, amount, currency: 'USD' })));
      expect(transaction).toMatchObject({ amount_fiat: Number(amount), currency_fiat: 'GBP' });
    }
    expect(expectProblem(await open({ link, amount: '4.99' }), 400, 'INVALID_AMOUNT').message).toMatch(/least 5 GBP/);
    expect(expectProblem(await open({ link, amount: '50.01' }), 400, 'INVALID_AMOUNT').message).toMatch(/most 50 GBP/);
    const unbounded = await addLink(app(), merchant(), {
      price: { kind: 'open', minCents: null, maxCents: null },
      maxUses: null,
    });
    expectProblem(await open({ link: unbounded.slug, amount: '0.99' }), 400, 'AMOUNT_TOO_LOW');
  });

  test('a link can only be paid in the coins it names', async () => {
    const { slug: link } = await addLink(app(), merchant(), { cryptos: ['BTC', 'ETH'], maxUses: null });
    transactionOf(await open({ link, crypto: 'BTC' }));
    expect(expectProblem(await open({ link }), 400, 'INVALID_CRYPTO').message).toMatch(/BTC, ETH, not in LTC/);
  });

  test('a link of another merchant or of the other mode is not found', async () => {
    const otherMerchant = await app().addMerchant();
    const { slug: foreign } = await addLink(app(), otherMerchant);
    const { slug: live } = await addLink(app(), merchant(), { mode: 'live' });
    const responses = [await open({ link: foreign }), await open({ link: live }), await open({ link: '0'.repeat(32) })];
    for (const response of responses) {
      expectProblem(response, 400, 'INVALID_REQUEST');
      expect(response.text).toBe(responses[0]?.text);
    }
  });

  test('rule 44: an expired or closed link is gone, except for a customer with an open payment of it', async () => {
    const link = await addLink(app(), merchant(), { expiresAt: app().clock.now() + 60_000, maxUses: null });
    const closed = await addLink(app(), merchant(), { maxUses: null });
    const [customer, other] = [newCustomer(), newCustomer()];
    const first = transactionOf(await open({ link: link.slug }, customer));
    const second = transactionOf(await open({ link: closed.slug }, customer));
    app().clock.advance(60_000);
    await app()
      .connection.db.updateTable('payment_link')
      .set({ closed_at: new Date(app().clock.now()) })
      .where('slug', '=', closed.slug)
      .execute();
    expectProblem(await open({ link: link.slug }, other), 410, 'PAYMENT_LINK_EXPIRED');
    expectProblem(await open({ link: closed.slug }, other), 410, 'PAYMENT_LINK_EXPIRED');
    expect(transactionOf(await open({ link: link.slug }, customer))).toBe(first);
    expect(transactionOf(await open({ link: closed.slug }, customer))).toBe(second);
  });

  test('rule 43, rule 44: a single-use link is used up when it is paid, not when it is opened', async () => {
    const { slug: link } = await addLink(app(), merchant(), { expiresAt: app().clock.now() + DAY_MS });
    const { sk_test } = merchant().keys;
    const ids = [transactionOf(await open({ link })), transactionOf(await open({ link }))];
    expect(new Set(ids).size).toBe(2);
    await app().simulate(sk_test, ids[0] ?? '', 'pay');
    await app().simulate(sk_test, ids[0] ?? '', 'confirm');
    expectProblem(await open({ link }), 409, 'PAYMENT_LINK_PAID');
    // Also long after the payment's end, for customers who come back.
    app().clock.advance(2 * DAY_MS);
    expectProblem(await open({ link }), 409, 'PAYMENT_LINK_PAID');
  });

  test('a rejection by the plan does not show customers how much the shop sells', async () => {
    const owner = await app().addMerchant();
    await app().addLiveWallet(owner);
    const month = new Date(app().clock.now()).toISOString().slice(0, 7);
    const { db } = app().connection;
    await db.insertInto('monthly_usage').values({ merchant_id: owner.id, month, used: 987_654 }).execute();
    await db.updateTable('merchant').set({ limit_first_reached_in: '2020-01' }).where('id', '=', owner.id).execute();
    const rejected = expectProblem(await open({ pk: owner.keys.pk_live }), 429, 'MONTHLY_LIMIT_REACHED');
    expect(rejected.message).not.toMatch(/\d|starter/);
  });
});
