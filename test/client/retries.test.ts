import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiError, ConnectionError } from '../../src/client/index.ts';
import { PLANNED_TIMEOUT_MS, rejection, type ScriptServer, startScriptServer, success } from './script-server.ts';

let server: ScriptServer;
beforeEach(async () => {
  server = await startScriptServer();
});
afterEach(() => server.close());

const ORDER = { crypto: 'LTC', amount: 25 } as const;
const simulate = () => {
  return server.client.api.simulateTransaction({ params: { transaction_id: 'txn_1' }, body: { action: 'pay' } });
};

describe('safe requests are retried', () => {
  test('a read, after broken connections and service errors, with growing pauses', async () => {
    server.plan('cut', 'cut', rejection(500, 'INTERNAL_ERROR'), success({ transaction_id: 'txn_1' }));
    expect(await server.client.get('txn_1')).toEqual({ transaction_id: 'txn_1' });
    expect(server.requests).toHaveLength(4);
    expect(server.pauses).toEqual([125, 250, 500]);
  });

  test('a read that got no response', async () => {
    server.plan('silence', success({ transaction_id: 'txn_1' }));
    expect(await server.client.get('txn_1')).toEqual({ transaction_id: 'txn_1' });
  });

  test('a create, always with the key of the first attempt', async () => {
    server.plan('cut', { status: 502, body: '<html>Bad gateway</html>' }, success({ transaction_id: 'txn_1' }));
    await server.client.create(ORDER);
    const keys = server.requests.map(({ headers }) => headers['x-idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([ORDER, ORDER, ORDER]);
  });

  test('with the pause that Retry-After asks for', async () => {
    server.plan(rejection(500, 'UPSTREAM_ERROR', { 'retry-after': '7' }), success([]));
    await server.client.api.listPlans();
    expect(server.pauses).toEqual([7_000]);
  });

  test('a rate-limited request was not processed, so it is retried even without a key', async () => {
    server.plan(rejection(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '2' }), success({ transaction_id: 'txn_1' }));
    await simulate();
    expect(server.pauses).toEqual([2_000]);
  });
});

describe('requests that are unsafe or useless to retry fail immediately', () => {
  test.each([
    ['a used-up month', rejection(429, 'MONTHLY_LIMIT_REACHED', { 'retry-after': '5' })],
    ['a mistake in the request', rejection(400, 'INVALID_AMOUNT')],
    ['a conflict', rejection(409, 'IDEMPOTENCY_CONFLICT')],
    ['a pause longer than the caller wants', rejection(500, 'UPSTREAM_ERROR', { 'retry-after': '31' })],
  ])('%s', async (_, response) => {
    server.plan(response);
    await expect(server.client.create(ORDER)).rejects.toBeInstanceOf(ApiError);
    expect(server.requests).toHaveLength(1);
    expect(server.pauses).toEqual([]);
  });

  test.each(['cut', 'silence', rejection(500, 'INTERNAL_ERROR')] as const)(
    'a request that may have been processed and has no key: %j',
    async (response) => {
      server.plan(response);
      await expect(simulate()).rejects.toThrow();
      expect(server.requests).toHaveLength(1);
    },
  );

  test('a service that stays down, after the retries', async () => {
    server.plan('cut', 'cut', 'cut', 'cut', success({}));
    await expect(server.client.get('txn_1')).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(server.requests).toHaveLength(4);
  });
});

describe('errors', () => {
  test('have the message, request id and details of the service', async () => {
    const details = [{ field: 'amount', message: 'must be above 0' }];
    const body = { success: false, error: 'INVALID_AMOUNT', message: 'must be above 0', details };
    server.plan({ status: 400, body, headers: { 'x-request-id': 'req_42' } });
    const error = await server.client.create(ORDER).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'INVALID_AMOUNT', status: 400, requestId: 'req_42', details, body });
  });

  test('include a response that is not from the service, even with status 200', async () => {
    server.plan({ status: 200, body: '<html>Welcome to the hotel</html>' });
    await expect(server.client.get('txn_1')).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER', status: 200 });
  });

  test('report a timeout as such, with its length', async () => {
    server.plan('silence');
    const error = await simulate().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining(`${PLANNED_TIMEOUT_MS} ms`) });
  });

  test('never contain the key', async () => {
    server.plan('cut', rejection(401, 'UNAUTHORIZED'));
    for (const call of [simulate(), server.client.get('txn_1')]) {
      const error: unknown = await call.catch((thrown: unknown) => thrown);
      expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('sk_test_key');
    }
  });

  test('pass the abort of the caller through unchanged and end the retries', async () => {
    server.plan('silence', success({}));
    const controller = new AbortController();
    const call = server.client.get('txn_1', { signal: controller.signal });
    controller.abort(new Error('the customer has left'));
    await expect(call).rejects.toThrow('the customer has left');
  });
});

describe('requests', () => {
  test('escape path parameters, and omit missing ones', async () => {
    server.plan(success({}), success({ transactions: [], pagination: { limit: 20, offset: 0, total: 0 } }));
    await server.client.get('a/../b?c');
    await server.client.api.listTransactions({ query: { status: 'pending' } });
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/transactions/a%2F..%2Fb%3Fc',
      '/v1/transactions/list?status=pending',
    ]);
  });

  test.each(['', '.', '..'])('reject %j as an id before sending anything', async (id) => {
    await expect(server.client.get(id)).rejects.toThrow('transaction_id is required');
    expect(server.requests).toEqual([]);
  });

  test('do not follow a redirect with the key', async () => {
    server.plan({ status: 302, headers: { location: '/v1/elsewhere' } });
    await expect(simulate()).rejects.toBeInstanceOf(ConnectionError);
    expect(server.requests).toHaveLength(1);
  });
});
