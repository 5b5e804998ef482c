import { expect, test } from 'vitest';
import type { TransactionView } from '../../src/payments/index.ts';
import { useApp } from '../http/api/support.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { PUBLIC_URL } from '../support/service/app.ts';
import { sendRequest } from './harness.ts';
import { TRANSACTION } from './tables/transaction.ts';
import { CRYPTO_SYMBOLS } from './tables/values.ts';
import { transactionViolations } from './transaction-violations.ts';

interface Page {
  readonly data: {
    readonly transactions: TransactionView[];
    readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
  };
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

describeDatabases('a transaction in the API', (database) => {
  const { app, merchant } = useApp(database);

  test('is the same in the responses of create, get and list', async () => {
    const key = merchant().keys.sk_test;
    const created = await sendRequest(app(), 'createTransaction', { key, body: EVERYTHING });
    expect(created.status).toBe(201);
    const { data } = created.body;
    expect(data).not.toHaveProperty('exception');

    const got = await sendRequest(app(), 'getTransaction', { key, id: data.transaction_id });
    expect({ status: got.status, body: got.body }).toEqual({ status: 200, body: created.body });

    const listed = await sendRequest<Page>(app(), 'listTransactions', { key, query: `ids=${data.transaction_id}` });
    expect(listed.status).toBe(200);
    expect(listed.body).toEqual({
      success: true,
      data: { transactions: [data], pagination: { limit: 20, offset: 0, total: 1 } },
    });
  });

  test('has the requested values, as sent, and the terms that follow from them', async () => {
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

  test('is null where an optional field was missing or null', async () => {
    const { sk_test } = merchant().keys;
    const nothing = { metadata: null, customer_email: null, success_url: null, cancel_url: null };
    expect(await app().create(sk_test)).toMatchObject({ currency_fiat: 'USD', ...nothing });
    expect(await app().create(sk_test, nothing)).toMatchObject({ currency_fiat: 'USD', ...nothing });
  });

  test('has an exception exactly while the merchant has to decide, with all of its fields', async () => {
    const { sk_test } = merchant().keys;
    const { transaction_id: id } = await app().create(sk_test);
    const late = await app().simulate(sk_test, id, 'pay_late');
    expect(late).toMatchObject({ status: 'expired', exception: 'paid_late' });
    expect(Object.keys(late).sort()).toEqual(Object.keys(TRANSACTION).sort());
  });

  test.each(CRYPTO_SYMBOLS)('can be in %s with a test key, without any wallet', async (crypto) => {
    const transaction = await app().create(merchant().keys.sk_test, { crypto, amount: 3.5 });
    expect(transactionViolations(transaction)).toEqual([]);
    expect(transaction).toMatchObject({ crypto, amount_usd: 3.5 });
    expect(transaction.amount_crypto * transaction.exchange_rate).toBeGreaterThanOrEqual(3.5 * (1 - 1e-12));
  });

  test('has JSON numbers for the smallest coin amounts', async () => {
    const { sk_test } = merchant().keys;
    const { transaction_id: id } = await app().create(sk_test, { crypto: 'BTC', amount: 1 });
    const paid = await app().simulate(sk_test, id, 'pay_partial', { amount_crypto: 1e-8 });
    expect(paid).toMatchObject({ amount_paid: 1e-8, payments: [{ amount_crypto: 1e-8 }] });
  });

  test('is not cached, and has a unique request id each time', async () => {
    const parts = { key: merchant().keys.sk_test, headers: { 'x-request-id': 'mine' } };
    const first = await sendRequest(app(), 'listTransactions', parts);
    const second = await sendRequest(app(), 'listTransactions', parts);
    expect(first.headers['cache-control']).toBe('no-store');
    expect(first.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });
});
