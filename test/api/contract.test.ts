import { expect, test } from 'vitest';
import { CRYPTO_SYMBOLS } from '../../machines/index.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import { PUBLIC_URL } from '../support/app.ts';
import { describeBothDatabases } from '../support/database.ts';
import { TRANSACTION_FIELDS, transactionViolations } from './interface-tables.ts';
import { useApp } from './support.ts';

interface Envelope<T> {
  readonly success: true;
  readonly data: T;
}
interface Page {
  readonly transactions: TransactionView[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
}

const EVERYTHING = {
  crypto: 'LTC',
  amount: 19.99,
  currency_fiat: 'EUR',
  metadata: { order: '1042', nested: { deep: [1, 1e-8, null, true, 'ß'] }, toJSON: 'text', length: 0 },
  customer_email: 'jo@example.com',
  success_url: 'https://shop.example.com/thanks?order=1042#top',
  cancel_url: 'http://shop.example.com/basket',
};

describeBothDatabases('the shape of answers', (database) => {
  const { app, merchant } = useApp(database);

  test('create, get and list answer with the same transaction, with exactly the fields of the interface', async () => {
    const key = merchant().keys.sk_test;
    const created = await app().call<Envelope<TransactionView>>({
      method: 'POST',
      path: '/transactions/create',
      key,
      body: EVERYTHING,
    });
    expect(created.status).toBe(201);
    expect(Object.keys(created.body)).toEqual(['success', 'data']);
    expect(created.body.success).toBe(true);
    const { data } = created.body;
    expect(transactionViolations(data)).toEqual([]);
    expect(data).not.toHaveProperty('exception');

    const got = await app().call<Envelope<TransactionView>>({ path: `/transactions/${data.transaction_id}`, key });
    expect(got).toMatchObject({ status: 200, body: { success: true } });
    expect(got.body.data).toEqual(data);

    const listed = await app().call<Envelope<Page>>({ path: `/transactions/list?ids=${data.transaction_id}`, key });
    expect(listed.status).toBe(200);
    expect(listed.body).toEqual({
      success: true,
      data: { transactions: [data], pagination: { limit: 20, offset: 0, total: 1 } },
    });
  });

  test('what was asked for comes back as it was sent, and the terms follow from it', async () => {
    const data = await app().create(merchant().keys.sk_test, EVERYTHING);
    expect(data).toMatchObject({
      status: 'pending',
      type: 'basic',
      crypto: 'LTC',
      amount_fiat: 19.99,
      currency_fiat: 'EUR',
      fiat_to_usd_rate: 1.08,
      amount_usd: 21.59,
      exchange_rate: 80,
      // 19.99 × 1.08 ÷ 80 = 0.269865
      amount_crypto: 0.269865,
      amount_paid: 0,
      amount_remaining: 0.269865,
      confirmations_required: 3,
      payment_url: `${PUBLIC_URL}/transaction/${data.transaction_id}`,
      order_id: null,
      items: null,
      payments: [],
      customer_email: EVERYTHING.customer_email,
      metadata: EVERYTHING.metadata,
      success_url: EVERYTHING.success_url,
      cancel_url: EVERYTHING.cancel_url,
      updated_at: data.created_at,
    });
    expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(30 * 60_000);
  });

  test('what is optional may be left out or null', async () => {
    const { sk_test } = merchant().keys;
    const nothing = { metadata: null, customer_email: null, success_url: null, cancel_url: null };
    expect(await app().create(sk_test)).toMatchObject({ currency_fiat: 'USD', ...nothing });
    expect(await app().create(sk_test, nothing)).toMatchObject({ currency_fiat: 'USD', ...nothing });
  });

  test.each(CRYPTO_SYMBOLS)('%s can be paid with a test key, without any wallet', async (crypto) => {
    const transaction = await app().create(merchant().keys.sk_test, { crypto, amount: 3.5 });
    expect(transactionViolations(transaction)).toEqual([]);
    expect(transaction).toMatchObject({ crypto, amount_usd: 3.5 });
    expect(transaction.amount_crypto * transaction.exchange_rate).toBeGreaterThanOrEqual(3.5 * (1 - 1e-12));
  });

  test('the smallest coin amounts stay JSON numbers', async () => {
    const { sk_test } = merchant().keys;
    const { transaction_id: id } = await app().create(sk_test, { crypto: 'BTC', amount: 1 });
    const paid = await app().simulate(sk_test, id, 'pay_partial', { amount_crypto: 1e-8 });
    expect(paid).toMatchObject({ amount_paid: 1e-8, payments: [{ amount_crypto: 1e-8 }] });
  });

  test('exception is there exactly while the merchant has to decide, and every field with it', async () => {
    const { sk_test } = merchant().keys;
    const { transaction_id: id } = await app().create(sk_test);
    const late = await app().simulate(sk_test, id, 'pay_late');
    expect(transactionViolations(late)).toEqual([]);
    expect(late).toMatchObject({ status: 'expired', exception: 'paid_late' });
    expect(Object.keys(late).sort()).toEqual(Object.keys(TRANSACTION_FIELDS).sort());
  });

  test('answers are not cached, and each has a request id of its own', async () => {
    const path = '/transactions/list';
    const first = await app().call({ path, key: merchant().keys.sk_test, headers: { 'x-request-id': 'mine' } });
    const second = await app().call({ path, key: merchant().keys.sk_test });
    expect(first.headers['cache-control']).toBe('no-store');
    expect(first.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });
});
