import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../../machines/index.ts';
import type { Schedule } from '../../../../src/client/index.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { expectProblem } from '../support.ts';
import { GOOD, useSchedules } from './recurring-support.ts';

/** Name, changed fields, error code, and the field in the error. */
const REJECTED: readonly (readonly [what: string, change: object, code: string, field: string])[] = [
  ['an unknown field', { intervall: 'weekly' }, 'INVALID_REQUEST', 'intervall'],
  ['a field of transactions', { cancel_url: 'https://shop.example' }, 'INVALID_REQUEST', 'cancel_url'],
  ['no address', { customer_email: undefined }, 'INVALID_REQUEST', 'customer_email'],
  ['an address that is null', { customer_email: null }, 'INVALID_REQUEST', 'customer_email'],
  ['no address at all', { customer_email: 'jo' }, 'INVALID_REQUEST', 'customer_email'],
  ['two addresses', { customer_email: 'jo@example.com, ann@example.com' }, 'INVALID_REQUEST', 'customer_email'],
  ['an address with a name', { customer_email: 'Jo <jo@example.com>' }, 'INVALID_REQUEST', 'customer_email'],
  [
    'a header in the address',
    { customer_email: 'jo@example.com\r\nBcc: a@b.example' },
    'INVALID_REQUEST',
    'customer_email',
  ],
  [
    '65 characters before the @',
    { customer_email: `${'j'.repeat(65)}@example.com` },
    'INVALID_REQUEST',
    'customer_email',
  ],
  [
    '255 characters',
    { customer_email: `jo@${`${'a'.repeat(61)}.`.repeat(4)}exam` },
    'INVALID_REQUEST',
    'customer_email',
  ],
  ['no amount', { amount: undefined }, 'INVALID_REQUEST', 'amount'],
  ['an amount as text', { amount: '25' }, 'INVALID_AMOUNT', 'amount'],
  ['three decimals', { amount: 25.001 }, 'INVALID_AMOUNT', 'amount'],
  ['nothing', { amount: 0 }, 'INVALID_AMOUNT', 'amount'],
  ['less than 1.00 USD', { amount: 0.99 }, 'AMOUNT_TOO_LOW', 'amount'],
  ['less than 1.00 USD in PLN', { amount: 3, currency_fiat: 'PLN' }, 'AMOUNT_TOO_LOW', 'amount'],
  ['a currency there is not', { currency_fiat: 'JPY' }, 'INVALID_CURRENCY', 'currency_fiat'],
  ['a coin there is not', { crypto: 'XMR' }, 'INVALID_CRYPTO', 'crypto'],
  ['no interval', { interval: undefined }, 'INVALID_REQUEST', 'interval'],
  ['another interval', { interval: 'daily' }, 'INVALID_REQUEST', 'interval'],
  ['no description', { description: undefined }, 'INVALID_REQUEST', 'description'],
  ['a blank description', { description: '  ' }, 'INVALID_REQUEST', 'description'],
  ['two lines', { description: 'Climbing\nhall' }, 'INVALID_REQUEST', 'description'],
  ['text that changes its direction', { description: 'x\u2066y' }, 'INVALID_REQUEST', 'description'],
  ['501 characters', { description: 'x'.repeat(501) }, 'INVALID_REQUEST', 'description'],
  ['half a character', { description: '\ud83d' }, 'INVALID_REQUEST', 'description'],
  ['an empty reference', { reference: '' }, 'INVALID_REQUEST', 'reference'],
  ['a reference of 256 characters', { reference: 'x'.repeat(256) }, 'INVALID_REQUEST', 'reference'],
  ['a reference with a NUL', { reference: 'a\u0000b' }, 'INVALID_REQUEST', 'reference'],
  ['no period', { max_periods: 0 }, 'INVALID_REQUEST', 'max_periods'],
  ['1201 periods', { max_periods: 1_201 }, 'INVALID_REQUEST', 'max_periods'],
  ['half a period', { max_periods: 1.5 }, 'INVALID_REQUEST', 'max_periods'],
  ['a start that is no moment', { start_at: 'tomorrow' }, 'INVALID_REQUEST', 'start_at'],
  ['a day there is not', { start_at: '2027-02-30' }, 'INVALID_REQUEST', 'start_at'],
  ['a start in the past', { start_at: '2020-01-01T00:00:00Z' }, 'INVALID_REQUEST', 'start_at'],
  ['a start in a far future', { start_at: '2200-01-01' }, 'INVALID_REQUEST', 'start_at'],
  ['a page in a script', { success_url: 'javascript:alert(1)' }, 'INVALID_REQUEST', 'success_url'],
  ['metadata that is no object', { metadata: 'x' }, 'INVALID_METADATA', 'metadata'],
  ['metadata that is too large', { metadata: { a: 'x'.repeat(501) } }, 'INVALID_METADATA', 'metadata'],
];

describeDatabases('recurring payment requests', (database) => {
  const { app, key, send, ask, create, written } = useSchedules(database);

  describe('created', () => {
    test('from the required fields only: everything else has its default', async () => {
      const schedule = await create(key());
      expect(schedule).toEqual({
        schedule_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        reference: null,
        ...GOOD,
        amount: undefined,
        amount_fiat: 25,
        currency_fiat: 'USD',
        status: 'pending_confirmation',
        crypto: null,
        start_at: null,
        max_periods: null,
        metadata: null,
        success_url: null,
        is_test: true,
        confirmations_sent: 1,
        last_period_no: 0,
        next_due_at: null,
        created_at: new Date(app().clock.now()).toISOString(),
        confirmed_at: null,
        ended_at: null,
        end_reason: null,
      });
      expect(await ask(key(), 'GET /recurring/{schedule_id}', schedule.schedule_id)).toEqual(schedule);
    });

    test('from all fields: all of them are returned', async () => {
      const tomorrow = new Date(app().clock.now() + DAY_MS).toISOString();
      const { amount, ...sent } = {
        reference: `${'x'.repeat(250)} Ł🧗`,
        customer_email: `${'j'.repeat(64)}@example.com`,
        amount: 24.99,
        currency_fiat: 'EUR',
        interval: 'weekly',
        description: `${'d'.repeat(498)}ßß`,
        crypto: 'LTC',
        start_at: tomorrow,
        max_periods: 1_200,
        metadata: { hall: 'north', nested: { deep: [1, null] } },
        success_url: 'https://shop.example.com/thanks',
      };
      expect(await create(key(), { ...sent, amount })).toMatchObject({ ...sent, amount_fiat: 24.99 });
    });

    test('with null for every optional field', async () => {
      const nothing = { reference: null, start_at: null, max_periods: null, metadata: null, success_url: null };
      expect(await create(key(), nothing)).toMatchObject(nothing);
    });

    test('starting on a day: at its first moment in UTC; an offset is respected', async () => {
      const day = new Date(app().clock.now() + 10 * DAY_MS).toISOString().slice(0, 10);
      expect((await create(key(), { start_at: day })).start_at).toBe(`${day}T00:00:00.000Z`);
      const elsewhere = await create(key(), { start_at: `${day}T09:30:00.5+02:00` });
      expect(elsewhere.start_at).toBe(`${day}T07:30:00.500Z`);
    });

    test.each(REJECTED)('not from %s', async (_what, change, code, field) => {
      const before = await written();
      const response = await send(key(), 'POST', '/recurring/create', { ...GOOD, ...change });
      const { details, message } = expectProblem(response, 400, code);
      expect(details?.map((each) => each.field)).toContain(field);
      expect(message).not.toContain('pattern');
      expect(await written()).toEqual(before);
    });

    test('by live keys like payments: not without a wallet, not without a rate', async () => {
      const shop = await app().addMerchant();
      const before = await written();
      const live = (change: object) =>
        send(shop.keys.sk_live, 'POST', '/recurring/create', {
          ...GOOD,
          customer_email: 'live@example.com',
          ...change,
        });
      expectProblem(await live({}), 400, 'WALLET_NOT_CONFIGURED');
      const unpriced = await live({ currency_fiat: 'GBP' });
      expectProblem(unpriced, 500, 'RATE_FETCH_FAILED');
      expect(Number(unpriced.headers['retry-after'])).toBeGreaterThan(0);
      await app().addLiveWallet(shop);
      expectProblem(await live({ crypto: 'BTC' }), 400, 'WALLET_NOT_CONFIGURED');
      expect(await written()).toEqual(before);
      const made = await create(shop.keys.sk_live, { customer_email: 'live@example.com', crypto: 'LTC' });
      expect(made).toMatchObject({ is_test: false, crypto: 'LTC' });
    });

    test('by live keys within a limit per address, whatever its case', async () => {
      const shop = await app().addMerchant();
      await app().addLiveWallet(shop);
      for (let nth = 0; nth < 5; nth += 1) {
        await create(shop.keys.sk_live, { customer_email: nth % 2 === 0 ? 'many@example.com' : 'MANY@example.com' });
      }
      const before = await written();
      const body = { ...GOOD, customer_email: 'many@example.com' };
      const response = await send(shop.keys.sk_live, 'POST', '/recurring/create', body);
      const { details } = expectProblem(response, 429, 'RECIPIENT_LIMIT_REACHED');
      expect(details).toMatchObject([{ field: 'customer_email' }]);
      expect(await written()).toEqual(before);
      await create(shop.keys.sk_live, { customer_email: 'another@example.com' });
    });
  });

  describe('created with an idempotency key', () => {
    const keyed = (by: string, name: string, change: object = {}) =>
      app().call<{ data: Schedule }>({
        method: 'POST',
        path: '/recurring/create',
        key: by,
        headers: { 'x-idempotency-key': name },
        body: { ...GOOD, ...change },
      });

    test('once, under any number of repeated and concurrent requests', async () => {
      const before = await database().db.selectFrom('schedule').select('id').execute();
      const responses = await Promise.all(Array.from({ length: 4 }, () => keyed(key(), 'member 1')));
      const later = await keyed(key(), 'member 1');
      expect(new Set([...responses, later].map(({ body }) => body.data.schedule_id)).size).toBe(1);
      expect([...responses, later].map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
      const replayed = responses.filter(({ headers }) => headers['x-idempotency-replayed'] === 'true');
      expect(replayed).toHaveLength(3);
      expect(later.headers['x-idempotency-replayed']).toBe('true');
      const after = await database().db.selectFrom('schedule').select('id').execute();
      expect(after).toHaveLength(before.length + 1);
    });

    test('not for another request', async () => {
      await keyed(key(), 'member 2');
      const before = await written();
      for (const change of [{ amount: 26 }, { reference: 'x' }, { max_periods: 3 }]) {
        expectProblem(await keyed(key(), 'member 2', change), 409, 'IDEMPOTENCY_CONFLICT');
      }
      expect(await written()).toEqual(before);
    });

    test('again by other merchants and in the other mode, and separately from transaction keys', async () => {
      const [mine, other] = [await app().addMerchant(), await app().addMerchant()];
      await app().addLiveWallet(mine);
      const customer = { customer_email: 'keyed@example.com' };
      const made = await keyed(mine.keys.sk_test, 'order 1', customer);
      const others = [
        await keyed(other.keys.sk_test, 'order 1', customer),
        await keyed(mine.keys.sk_live, 'order 1', customer),
      ];
      for (const { status, headers, body } of others) {
        expect({ status, replayed: headers['x-idempotency-replayed'] }).toEqual({ status: 201, replayed: undefined });
        expect(body.data.schedule_id).not.toBe(made.body.data.schedule_id);
      }
      const payment = await app().call({
        method: 'POST',
        path: '/transactions/create',
        key: mine.keys.sk_test,
        headers: { 'x-idempotency-key': 'order 1' },
        body: { crypto: 'LTC', amount: 25 },
      });
      expect(payment.status).toBe(201);
    });

    test.each(['', 'x'.repeat(256), 'schlüssel'])('but not with the key "%s"', async (name) => {
      const before = await written();
      const { details } = expectProblem(await keyed(key(), name), 400, 'INVALID_REQUEST');
      expect(details).toMatchObject([{ field: 'X-Idempotency-Key' }]);
      expect(await written()).toEqual(before);
    });
  });
});
