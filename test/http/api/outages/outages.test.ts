import { expect, test } from 'vitest';
import type { TransactionView } from '../../../../src/payments/index.ts';
import { connect } from '../../../../src/platform/db/index.ts';
import { createLogger } from '../../../../src/platform/log.ts';
import { createDatabaseLine } from '../../../support/database/database-line.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
} from '../../../support/database/test-database.ts';
import { POLLING } from '../../../support/polling.ts';
import { startApp, TEST_VERSION } from '../../../support/service/app.ts';
import { countWritten, expectProblem, useApp } from '../support.ts';

const CREATE = { method: 'POST', path: '/transactions/create', body: { crypto: 'LTC', amount: 25 } } as const;

describeDatabases('a healthy service', (database) => {
  let busResponds = true;
  const { app } = useApp(database, { busResponds: () => busResponds });

  test('responds without a key and without an envelope', async () => {
    const response = await app().call({ path: '/health', key: null });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ status: 'ok', service: 'quittance', version: TEST_VERSION });
    const head = await app().call({ method: 'HEAD', path: '/health', key: null });
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
  });

  test('is degraded, but serves, when the bus does not answer', async () => {
    busResponds = false;
    const response = await app().call({ path: '/health', key: null });
    expect(response).toMatchObject({ status: 200, body: { status: 'degraded', service: 'quittance' } });
    busResponds = true;
  });
});

describeDatabases('a service that is still starting', (database) => {
  let isReady = false;
  const { app, merchant } = useApp(database, { isReady: () => isReady });

  test('responds to health checks, and asks all other clients to retry', async () => {
    expect((await app().call({ path: '/health', key: null })).status).toBe(200);
    const { sk_test } = merchant().keys;
    const early = await app().call({ ...CREATE, key: sk_test });
    expectProblem(early, 500, 'UPSTREAM_ERROR');
    expect(early.headers['retry-after']).toBe('2');
    isReady = true;
    expect((await app().call({ ...CREATE, key: sk_test })).status).toBe(201);
  });
});

describeDatabases('live payments without rates', (database) => {
  const { app, merchant } = useApp(database);

  test('report a missing wallet first, because a retry would not help', async () => {
    const response = await app().call({ ...CREATE, key: merchant().keys.sk_live });
    expectProblem(response, 400, 'WALLET_NOT_CONFIGURED');
  });

  test('are rejected with RATE_FETCH_FAILED, never quoted from samples, and nothing is written', async () => {
    await app().addLiveWallet(merchant());
    const before = await countWritten(app());
    const response = await app().call({ ...CREATE, key: merchant().keys.sk_live });
    expect(expectProblem(response, 500, 'RATE_FETCH_FAILED').message).toContain('LTC');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(await countWritten(app())).toEqual(before);
  });
});

describeDatabases('live payments', (database) => {
  const { app, merchant } = useApp(database, { liveRates: { LTC: '100', BTC: '60000' } });

  test('need a wallet, a node, and a rate of each currency', async () => {
    const { sk_live } = merchant().keys;
    const before = await countWritten(app());
    expectProblem(await app().call({ ...CREATE, key: sk_live }), 400, 'WALLET_NOT_CONFIGURED');
    const inBitcoin = { ...CREATE, body: { crypto: 'BTC', amount: 25 } };
    expectProblem(await app().call({ ...inBitcoin, key: sk_live }), 400, 'WALLET_NOT_CONFIGURED');
    await app().addLiveWallet(merchant());
    const inEuro = { ...CREATE, body: { ...CREATE.body, currency_fiat: 'EUR' } };
    const unpriced = expectProblem(await app().call({ ...inEuro, key: sk_live }), 500, 'RATE_FETCH_FAILED');
    expect(unpriced.message).toContain('EUR');
    expect(await countWritten(app())).toEqual(before);
  });

  test("use the merchant's wallet, and test keys still do not", async () => {
    const shop = await app().addMerchant();
    await app().addLiveWallet(shop);
    const live = await app().create(shop.keys.sk_live);
    const test = await app().create(shop.keys.sk_test);
    expect(live).toMatchObject({ exchange_rate: 100, amount_crypto: 0.25 });
    expect(live.deposit_address).toMatch(/^ltc1q/);
    expect(test.deposit_address).not.toMatch(/^ltc1/);
    const listed = await app().call<{ data: { transactions: TransactionView[] } }>({
      path: '/transactions/list',
      key: shop.keys.sk_live,
    });
    expect(listed.body.data.transactions).toEqual([live]);
  });
});

describePostgres('a database that goes down', () => {
  test('makes every endpoint return 500 with Retry-After, logged once each, and all recover when it is back', async () => {
    const database = await createPostgresDatabase();
    const { line: proxy, url } = await createDatabaseLine(database);
    const connection = await connect({ url, dataDir: null, poolSize: 4 });
    const lines: string[] = [];
    const log = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
    const app = await startApp({ connection, log });
    try {
      const { keys } = await app.addMerchant();
      const { sk_test: key } = keys;
      const { transaction_id: id } = await app.create(key);
      await proxy.cut();

      const requests = [
        CREATE,
        { path: '/transactions/list' },
        { path: `/transactions/${id}` },
        { method: 'POST', path: `/transactions/${id}/simulate`, body: { action: 'pay' } },
      ] as const;
      for (const request of requests) {
        const response = await app.call({ ...request, key });
        expectProblem(response, 500, 'UPSTREAM_ERROR');
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      }
      const sick = await app.call({ path: '/health', key: null });
      expect(sick).toMatchObject({ status: 503, body: { status: 'degraded', service: 'quittance' } });
      const logged = lines.filter((line) => line.includes('a request could not be served now'));
      expect(logged.length).toBe(requests.length);
      expect(lines.join('')).not.toContain(key);

      await proxy.repair();
      await expect.poll(async () => (await app.call({ path: '/health', key: null })).status, POLLING).toBe(200);
      expect((await app.call({ ...CREATE, key })).status).toBe(201);
      expect(await app.simulate(key, id, 'pay')).toMatchObject({ status: 'awaiting_confirmation' });
    } finally {
      await app.stop();
      await connection.close();
      await proxy.close();
      await database.drop();
    }
  });
});
