import { expect, test, vi } from 'vitest';
import { BLIND_AFTER_MS, createWatcherStore, type TransactionView } from '../../../../src/payments/index.ts';
import { createTestClock, type TestClock } from '../../../support/clock.ts';
import { describeDatabases, type TestDatabase } from '../../../support/database/test-database.ts';
import { POLLING } from '../../../support/polling.ts';
import { LIVE_NETWORK, startApp, type TestApp, type TestMerchant } from '../../../support/service/app.ts';
import { countWritten, expectProblem } from '../support.ts';

const BODY = { crypto: 'LTC', amount: 25 };

describeDatabases('a network that is not being watched', (database) => {
  test('is rejected for merchants who opted in, with the coin and the reason; idempotency keys still return', async () => {
    const clock = createTestClock();
    const app = await startApp({ connection: database(), clock, liveRates: { LTC: '80.5' } });
    try {
      const careful = await liveMerchant(app, true);
      const easy = await liveMerchant(app, false);

      const before = await countWritten(app);
      const rejected = await create(app, careful.keys.sk_live);
      const { message } = expectProblem(rejected, 500, 'UPSTREAM_ERROR');
      expect(message).toContain('LTC');
      expect(message).toContain('not being watched');
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
      expect(await countWritten(app)).toEqual(before);
      expect((await create(app, easy.keys.sk_live)).status, 'who has not asked for it goes on').toBe(201);
      expect((await create(app, careful.keys.sk_test)).status, 'a simulated network is never blind').toBe(201);
      const wrong = await create(app, careful.keys.sk_live, null, { ...BODY, amount: 0.5 });
      expectProblem(wrong, 400, 'AMOUNT_TOO_LOW');

      await networkIsSynced(database(), clock);
      const created = await comesTo(app, careful, 201, 'order-1');
      clock.advance(BLIND_AFTER_MS + 1);
      await comesTo(app, careful, 500, null);
      const again = await create(app, careful.keys.sk_live, 'order-1');
      expect(again).toMatchObject({ status: 201, headers: { 'x-idempotency-replayed': 'true' } });
      expect(again.body.data.transaction_id).toBe(created);
    } finally {
      await app.stop();
    }
  });
});

// Helpers

async function liveMerchant(app: TestApp, refuseWhenNetworkLags: boolean): Promise<TestMerchant> {
  const merchant = await app.addMerchant({ refuseWhenNetworkLags });
  await app.addLiveWallet(merchant);
  return merchant;
}

function create(app: TestApp, key: string, idempotencyKey: string | null = null, body: unknown = BODY) {
  const headers = idempotencyKey === null ? {} : { 'x-idempotency-key': idempotencyKey };
  return app.call<{ data: TransactionView }>({ method: 'POST', path: '/transactions/create', key, body, headers });
}

/** Polls, because the network status is read every couple of seconds. */
async function comesTo(app: TestApp, { keys }: TestMerchant, status: number, key: string | null): Promise<string> {
  return vi.waitFor(async () => {
    const response = await create(app, keys.sk_live, key);
    expect(response.status).toBe(status);
    return status === 201 ? response.body.data.transaction_id : '';
  }, POLLING);
}

async function networkIsSynced({ db }: TestDatabase, clock: TestClock): Promise<void> {
  const store = createWatcherStore({ db, network: LIVE_NETWORK, onProgress: () => {} });
  await store.nextEpoch();
  const cursor = { height: 7, blockHash: 'hash' };
  const syncedUntil = clock.now();
  await store.saveProgress({ forkHeight: 6, blocks: [], cursor, tipHeight: 7, syncedUntil });
}
