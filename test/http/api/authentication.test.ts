import { expect, test } from 'vitest';
import { describeDatabases } from '../../support/database/test-database.ts';
import { countWritten, expectProblem, useApp } from './support.ts';

const UNKNOWN_ID = `txn_${'0'.repeat(26)}`;
const SECURED = [
  { method: 'POST', path: '/transactions/create', body: { crypto: 'LTC', amount: 5 } },
  { method: 'GET', path: '/transactions/list' },
  { method: 'GET', path: `/transactions/${UNKNOWN_ID}` },
  { method: 'POST', path: `/transactions/${UNKNOWN_ID}/simulate`, body: { action: 'pay' } },
] as const;

describeDatabases('authentication', (database) => {
  const { app, merchant } = useApp(database);

  test.each(SECURED)('$method $path rejects every request without a valid secret key', async (request) => {
    const before = await countWritten(app());
    const missing = await app().call({ ...request, key: null });
    expectProblem(missing, 401, 'UNAUTHORIZED');
    expect(missing.headers['www-authenticate']).toBe('Bearer realm="quittance"');

    const { sk_test, sk_live, pk_test, pk_live } = merchant().keys;
    for (const authorization of ['', 'Bearer', 'Bearer ', sk_test, `Basic ${sk_test}`, `Bearer ${sk_test} extra`]) {
      expectProblem(await app().call({ ...request, key: null, headers: { authorization } }), 401, 'UNAUTHORIZED');
    }
    const unknownKeys = [
      'sk_test_',
      'x',
      `${sk_test}x`,
      sk_live.replace('sk_live_', 'sk_test_'),
      sk_test.toLowerCase(),
    ];
    for (const key of [...unknownKeys, 'pk_test_unknown', `sk_live_${'\u00e9'.repeat(20)}`, 'a'.repeat(5_000)]) {
      const unknown = await app().call({ ...request, key });
      expectProblem(unknown, 401, 'UNAUTHORIZED');
      expect(unknown.headers['www-authenticate']).toBe('Bearer realm="quittance", error="invalid_token"');
    }
    for (const key of [pk_test, pk_live]) {
      expectProblem(await app().call({ ...request, key }), 403, 'USE_PAY_ENDPOINT');
    }
    expect(await countWritten(app())).toEqual(before);
  });

  test('the key is checked before the body', async () => {
    for (const body of ['{', 'x'.repeat(2_000_000), JSON.stringify({ nonsense: true })]) {
      const request = { method: 'POST', path: '/transactions/create', body } as const;
      expectProblem(await app().call({ ...request, key: null }), 401, 'UNAUTHORIZED');
      expectProblem(await app().call({ ...request, key: merchant().keys.pk_live }), 403, 'USE_PAY_ENDPOINT');
    }
  });

  test('the scheme is case-insensitive', async () => {
    const authorization = `bEARER ${merchant().keys.sk_test}`;
    const response = await app().call({ path: '/transactions/list', key: null, headers: { authorization } });
    expect(response.status).toBe(200);
  });

  test('a revoked key is invalid immediately', async () => {
    const { id, keys } = await app().addMerchant();
    const request = { path: '/transactions/list', key: keys.sk_test };
    expect((await app().call(request)).status).toBe(200);
    const { db } = app().connection;
    await db.updateTable('api_key').set({ revoked_at: new Date() }).where('merchant_id', '=', id).execute();
    expectProblem(await app().call(request), 401, 'UNAUTHORIZED');
  });

  test('rule 38: a transaction of another merchant or of the other mode is not found', async () => {
    const otherMerchant = await app().addMerchant();
    const { transaction_id: id } = await app().create(merchant().keys.sk_test);
    for (const key of [otherMerchant.keys.sk_test, otherMerchant.keys.sk_live, merchant().keys.sk_live]) {
      expectProblem(await app().call({ path: `/transactions/${id}`, key }), 404, 'TRANSACTION_NOT_FOUND');
      const listed = await app().call({ path: `/transactions/list?ids=${id}`, key });
      expect(listed.body).toMatchObject({ data: { transactions: [], pagination: { total: 0 } } });
    }
    const before = await countWritten(app());
    const simulated = { method: 'POST', path: `/transactions/${id}/simulate`, body: { action: 'pay' } } as const;
    expectProblem(await app().call({ ...simulated, key: otherMerchant.keys.sk_test }), 404, 'TRANSACTION_NOT_FOUND');
    expectProblem(await app().call({ ...simulated, key: merchant().keys.sk_live }), 403, 'FORBIDDEN');
    expect(await countWritten(app())).toEqual(before);
  });

  test('a live key cannot simulate, whatever else is wrong with the request', async () => {
    const path = `/transactions/${UNKNOWN_ID}/simulate`;
    const response = await app().call({ method: 'POST', path, key: merchant().keys.sk_live, body: '{' });
    expectProblem(response, 403, 'FORBIDDEN');
  });
});
