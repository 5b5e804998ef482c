import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError, type Client, createClient, type Transaction } from '../../src/client/index.ts';
import { disagreement } from '../http/api/document/openapi-document.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { startApp, type TestApp, type TestMerchant } from '../support/service/app.ts';

const ORDER = { crypto: 'LTC', amount: 25, currency_fiat: 'EUR' } as const;

describePostgres('the client against the running service', () => {
  let database: TestDatabase;
  let app: TestApp;
  let baseUrl: string;
  let merchant: TestMerchant;
  let client: Client;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    app = await startApp({ connection: database });
    merchant = await app.addMerchant();
    baseUrl = `${await app.listen()}/v1`;
    client = clientOf(merchant);
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  function clientOf({ keys }: TestMerchant): Client {
    return createClient({ baseUrl, apiKey: keys.sk_test, maxRetries: 0 });
  }

  test('creates a payment, reads it back and simulates its payment', async () => {
    const created = await client.create({ ...ORDER, metadata: { order: '1042' } });
    expect(created).toMatchObject({ status: 'pending', amount_fiat: 25, amount_crypto: 0.3375 });
    expect(disagreement('POST /transactions/create', 201, { success: true, data: created })).toBeNull();
    expect(await client.get(created.transaction_id)).toEqual(created);

    const params = { transaction_id: created.transaction_id };
    await client.api.simulateTransaction({ params, body: { action: 'pay' } });
    const paid = await client.api.simulateTransaction({ params, body: { action: 'confirm' } });
    expect(paid.status).toBe('completed');
  });

  test('creates once per key, and again without a key', async () => {
    const first = await client.create(ORDER, { idempotencyKey: 'order-7' });
    expect(await client.create(ORDER, { idempotencyKey: 'order-7' })).toEqual(first);
    const [one, other] = [await client.create(ORDER), await client.create(ORDER)];
    expect(one.transaction_id).not.toBe(other.transaction_id);
  });

  test('iterates over all pages once, even while new payments arrive', async () => {
    const shop = await app.addMerchant();
    const walker = clientOf(shop);
    const expected: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      expected.unshift((await walker.create(ORDER)).transaction_id);
      app.clock.advance(1_000);
    }
    const walked: string[] = [];
    for await (const { transaction_id: id } of walker.list({ limit: 3 })) {
      walked.push(id);
      await walker.create(ORDER);
    }
    expect(walked).toEqual(expected);

    const sizes: number[] = [];
    for await (const page of walker.list({ limit: 4, status: 'pending' }).pages()) sizes.push(page.transactions.length);
    expect(sizes).toEqual([4, 4, 4, 2]);
  });

  test('iterates over nothing when the list is empty', async () => {
    const seen: Transaction[] = [];
    for await (const transaction of clientOf(await app.addMerchant()).list()) seen.push(transaction);
    expect(seen).toEqual([]);
  });

  test('throws typed errors with the code, the status, the request id and the fields', async () => {
    const error: unknown = await client.create({ ...ORDER, amount: 0.5 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'AMOUNT_TOO_LOW',
      status: 400,
      requestId: expect.stringMatching(/^req_/),
      details: [{ field: 'amount', message: expect.any(String) }],
    });
    await expect(client.get('txn_unknown')).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND', status: 404 });
    const unauthorized = createClient({ baseUrl, apiKey: 'sk_test_wrong', maxRetries: 0 });
    await expect(unauthorized.get('txn_unknown')).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  });

  test('creates a recurring payment request, once per key', async () => {
    const { api } = client;
    const body = { customer_email: 'jo@example.com', amount: 25, interval: 'monthly', description: 'Tea' } as const;
    const { schedule_id } = await api.createSchedule({ body, idempotencyKey: 'member-7' });
    expect(await api.createSchedule({ body, idempotencyKey: 'member-7' })).toMatchObject({ schedule_id });
    const params = { schedule_id };
    const active = await api.simulateSchedule({ params, body: { action: 'confirm' } });
    expect(active).toMatchObject({ status: 'active', amount_fiat: 25, last_period_no: 1 });
    const { periods } = await api.listSchedulePeriods({ params });
    expect(periods.map(({ status }) => status)).toEqual(['awaited']);
    expect(await api.pauseSchedule({ params })).toMatchObject({ status: 'paused' });
    await expect(api.pauseSchedule({ params })).rejects.toMatchObject({ code: 'INVALID_STATE', status: 409 });
    const { schedules } = await api.listSchedules({ query: { status: 'paused' } });
    expect(schedules).toMatchObject([{ schedule_id }]);
  });

  test('returns responses without an envelope unchanged', async () => {
    expect(await client.api.getHealth()).toMatchObject({ status: 'ok', service: 'quittance' });
  });

  test('every read operation without parameters can be called by its operationId', async () => {
    const { api } = client;
    const responses = await Promise.all([
      api.getPrices(),
      api.listCryptocurrencies(),
      api.listMerchantCryptocurrencies(),
      api.getAccount(),
      api.listPlans(),
      api.listInvoices({ query: { limit: 1 } }),
      api.getStats(),
      api.listSchedules(),
    ]);
    for (const response of responses) expect(response).not.toHaveProperty('success');
  });
});
