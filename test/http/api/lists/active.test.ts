import { beforeAll, expect, test } from 'vitest';
import type { TransactionView } from '../../../../src/payments/index.ts';
import { canonicalAddress, createClientHash } from '../../../../src/payments/index.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
} from '../../../support/database/test-database.ts';
import { level } from '../../../support/run/level.ts';
import {
  type ApiResponse,
  PUBLIC_URL,
  startApp,
  type TestApp,
  type TestMerchant,
} from '../../../support/service/app.ts';
import { countWritten, expectProblem, useApp } from '../support.ts';

interface ResponseBody {
  readonly data: TransactionView;
  readonly existing_transaction?: Readonly<Record<string, unknown>>;
}

/** Number of races between two processes. */
const ROUNDS = level.pick({ quick: 5, full: 20 });
const BODY = { crypto: 'LTC', amount: 25 };

function create(
  app: TestApp,
  key: string,
  headers: Readonly<Record<string, string>>,
  more: { readonly body?: unknown; readonly path?: string; readonly remoteAddress?: string } = {},
): Promise<ApiResponse<ResponseBody>> {
  return app.call({ method: 'POST', path: '/transactions/create', key, body: BODY, headers, ...more });
}

let customers = 0;
/** A new address. */
function newAddress(): string {
  customers += 1;
  return `198.51.${customers >> 8}.${customers & 0xff}`;
}

describeDatabases('a customer identified by X-Customer-IP', (database) => {
  const { app, merchant } = useApp(database);
  let key: string;

  beforeAll(() => {
    key = merchant().keys.sk_test;
  });

  const from = (address: string, more = {}) => create(app(), key, { 'x-customer-ip': address }, more);

  test('rule 70: has one open payment at a time, and the error names it', async () => {
    const address = newAddress();
    const { body: first } = await from(address);
    const before = await countWritten(app());
    const second = await from(address, { body: { ...BODY, crypto: 'BTC' } });
    expect({ status: second.status, body: second.body }).toEqual({
      status: 409,
      body: {
        success: false,
        error: 'ACTIVE_TRANSACTION_EXISTS',
        message: expect.stringMatching(/\S/),
        existing_transaction: {
          transaction_id: first.data.transaction_id,
          status: 'pending',
          crypto: 'LTC',
          amount_fiat: 25,
          currency_fiat: 'USD',
          payment_url: `${PUBLIC_URL}/transaction/${first.data.transaction_id}`,
          expires_at: first.data.expires_at,
        },
      },
    });
    expect(await countWritten(app())).toEqual(before);
  });

  test('also applies to itemized payments', async () => {
    await database().db.updateTable('merchant').set({ plan: 'professional' }).where('id', '=', merchant().id).execute();
    const address = newAddress();
    const detailed = {
      path: '/transactions/create-detailed',
      body: { crypto: 'LTC', items: [{ name: 'Tea', price: 25 }], order_id: '1' },
    };
    expect((await from(address, detailed)).status).toBe(201);
    expect((await from(address)).status).toBe(409);
    expect((await from(address, detailed)).status).toBe(409);
  });

  test('is distinct from other addresses, merchants, modes, and requests that identify no customer', async () => {
    const address = newAddress();
    expect((await from(address)).status).toBe(201);
    expect((await from(newAddress())).status).toBe(201);
    expect((await create(app(), key, {})).status).toBe(201);
    expect((await create(app(), key, {})).status).toBe(201);
    const other = await app().addMerchant();
    expect((await create(app(), other.keys.sk_test, { 'x-customer-ip': address })).status).toBe(201);
  });

  test('is the same in any notation of the address', async () => {
    for (const [one, same] of [
      ['2001:db8::1:0:0:1', '2001:0DB8:0000:0000:0001:0:0:1'],
      ['::ffff:192.0.2.7', '192.0.2.7'],
      ['::ffff:c000:208', '192.0.2.8'],
    ] as const) {
      expect((await from(one)).status).toBe(201);
      expect((await from(same)).status).toBe(409);
    }
  });

  test.each([
    'localhost',
    '',
    '1.2.3',
    '1.2.3.4:80',
    '1.2.3.4, 5.6.7.8',
    '01.2.3.4',
    'fe80::1%eth0',
    '[::1]',
    '1.2.3.4/32',
    'x'.repeat(46),
  ])('must be one address, not "%s"', async (address) => {
    const problem = expectProblem(await from(address), 400, 'INVALID_REQUEST');
    expect(problem.details).toMatchObject([{ field: 'X-Customer-IP' }]);
  });

  test.each([
    ['something is paid', 'pay_partial', {}],
    ['it is paid', 'pay', {}],
    ['the window has closed', 'advance_clock', { seconds: 3_600 }],
  ])('may open another when %s', async (_, action, more) => {
    const address = newAddress();
    const { body } = await from(address);
    await app().simulate(key, body.data.transaction_id, action, more);
    expect((await from(address)).status).toBe(201);
    expect((await from(address)).status).toBe(409);
  });

  test('must wait again when the coins that arrived are lost', async () => {
    const address = newAddress();
    const { body } = await from(address);
    const { transaction_id: id } = body.data;
    await app().simulate(key, id, 'pay');
    await app().simulate(key, id, 'double_spend');
    const rejected = await from(address);
    expect(rejected.body.existing_transaction).toMatchObject({ transaction_id: id });
  });

  test('gets the same response to a retry, which is no second payment', async () => {
    const headers = { 'x-customer-ip': newAddress(), 'x-idempotency-key': 'retry' };
    const first = await create(app(), key, headers);
    const again = await create(app(), key, headers);
    expect(again.status).toBe(201);
    expect(again.headers['x-idempotency-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    expect((await create(app(), key, { ...headers, 'x-idempotency-key': 'other' })).status).toBe(409);
  });

  test('gets one payment from many concurrent requests', async () => {
    const address = newAddress();
    const before = await countWritten(app());
    const responses = await Promise.all(Array.from({ length: 30 }, () => from(address)));
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    for (const { status, body } of responses) {
      if (status === 201) continue;
      expect(status).toBe(409);
      expect(body.existing_transaction).toMatchObject({ transaction_id: created[0]?.body.data.transaction_id });
    }
    const after = await countWritten(app());
    expect(after.transaction).toBe(before.transaction + 1);
    expect(after.addresses_taken).toBe(before.addresses_taken + 1);
  });

  test('is stored as a keyed hash only, which is deleted when the payment ends', async () => {
    const address = newAddress();
    const { body } = await from(address);
    const { transaction_id: id } = body.data;
    const stored = async () => {
      const { rows } = await database().db.executeQuery<Readonly<Record<string, unknown>>>({
        ...database().db.selectFrom('transaction').selectAll().where('id', '=', id).compile(),
      });
      return rows[0];
    };
    expect((await stored())?.client_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(await stored(), (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)))
      .not //
      .toContain(address);
    await app().simulate(key, id, 'advance_clock', { seconds: 3_600 });
    expect(await stored()).toMatchObject({ status: 'expired', client_hash: null });
  });
});

describeDatabases('a key with one open payment per client address', (database) => {
  const { app } = useApp(database, { trustedProxies: ['10.0.0.0/8'] });
  let shop: TestMerchant;

  beforeAll(async () => {
    shop = await app().addMerchant();
    await database()
      .db.updateTable('api_key')
      .set({ one_open_payment_per_ip: true })
      .where('merchant_id', '=', shop.id)
      .where('mode', '=', 'test')
      .execute();
  });

  test('uses the address of the caller', async () => {
    const call = (remoteAddress: string, headers = {}) =>
      create(app(), shop.keys.sk_test, headers, { remoteAddress }).then(({ status }) => status);
    expect(await call('203.0.113.1')).toBe(201);
    expect(await call('203.0.113.1')).toBe(409);
    expect(await call('203.0.113.2')).toBe(201);
    // X-Forwarded-For is trusted only from our own proxies.
    expect(await call('203.0.113.2', { 'x-forwarded-for': '203.0.113.3' })).toBe(409);
    expect(await call('10.1.2.3', { 'x-forwarded-for': '203.0.113.3' })).toBe(201);
    expect(await call('10.1.2.3', { 'x-forwarded-for': '203.0.113.3' })).toBe(409);
  });

  test('uses X-Customer-IP first, which is the same customer', async () => {
    const { sk_test } = shop.keys;
    const named = { 'x-customer-ip': '203.0.113.9' };
    expect((await create(app(), sk_test, named, { remoteAddress: '203.0.113.1' })).status).toBe(201);
    expect((await create(app(), sk_test, {}, { remoteAddress: '203.0.113.9' })).status).toBe(409);
  });
});

describePostgres('two processes and one customer', () => {
  test('create one payment between them', async () => {
    const database = await createPostgresDatabase();
    const apps = [await startApp({ connection: database }), await startApp({ connection: database })] as const;
    try {
      const { keys } = await apps[0].addMerchant();
      for (let round = 0; round < ROUNDS; round += 1) {
        const headers = { 'x-customer-ip': newAddress() };
        const racing = [...apps, ...apps, ...apps].map((app) => create(app, keys.sk_test, headers));
        const responses = await Promise.all(racing);
        expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
        expect(responses.filter(({ status }) => status === 409)).toHaveLength(5);
      }
      expect(await countWritten(apps[0])).toMatchObject({ transaction: ROUNDS, addresses_taken: ROUNDS });
    } finally {
      for (const app of apps) await app.stop();
      await database.drop();
    }
  });

  test('return the original to concurrent requests with one idempotency key', async () => {
    const database = await createPostgresDatabase();
    const apps = [await startApp({ connection: database }), await startApp({ connection: database })] as const;
    try {
      const { keys } = await apps[0].addMerchant();
      for (let round = 0; round < ROUNDS; round += 1) {
        const headers = { 'x-customer-ip': newAddress(), 'x-idempotency-key': `round-${round}` };
        const responses = await Promise.all([...apps, ...apps].map((app) => create(app, keys.sk_test, headers)));
        expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
        expect(new Set(responses.map(({ body }) => body.data.transaction_id)).size).toBe(1);
      }
    } finally {
      for (const app of apps) await app.stop();
      await database.drop();
    }
  });
});

test('the hash of a customer differs by merchant, mode, address and key', () => {
  const scope = { merchantId: 'mer_1', mode: 'live' } as const;
  const hash = createClientHash(new Uint8Array(32));
  const all = [
    hash(scope, '192.0.2.1'),
    hash(scope, '192.0.2.2'),
    hash({ ...scope, mode: 'test' }, '192.0.2.1'),
    hash({ ...scope, merchantId: 'mer_2' }, '192.0.2.1'),
    createClientHash(new Uint8Array(32).fill(1))(scope, '192.0.2.1'),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(hash(scope, '::ffff:192.0.2.1')).toBe(all[0]);
});

test.each([
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['::', '::'],
  ['::ffff:255.255.255.255', '255.255.255.255'],
  ['192.0.2.1', '192.0.2.1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['shop', 'shop'],
])('the address %s is %s', (text, canonical) => {
  expect(canonicalAddress(text)).toBe(canonical);
});
