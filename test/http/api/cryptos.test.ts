import { beforeAll, expect, test } from 'vitest';
import { CRYPTO_SYMBOLS } from '../../../machines/index.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import type { TestMerchant } from '../../support/service/app.ts';
import { expectProblem, useApp } from './support.ts';

interface Cryptos {
  readonly success: true;
  readonly data: readonly { readonly symbol: string; readonly blockchain: string; readonly network: string }[];
}

/** The catalogue of the interface, copied by hand. */
const NATIVE = { BTC: 'Bitcoin', LTC: 'Litecoin', DOGE: 'Dogecoin', DASH: 'Dash', ETH: 'Ethereum' } as const;

describeDatabases('lists of coins', (database) => {
  const { app, merchant } = useApp(database);
  let shop: TestMerchant;

  beforeAll(async () => {
    shop = await app().addMerchant();
    await app().addLiveWallet(shop);
  });

  const list = (path: string, key: string) => app().call<Cryptos>({ path, key });

  test.each(['/cryptos/list', '/merchant/cryptos'])('%s has all 16 for a test key, with all fields', async (path) => {
    const { status, body } = await list(path, merchant().keys.sk_test);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['success', 'data']);
    expect(body.data.map(({ symbol }) => symbol)).toEqual([...CRYPTO_SYMBOLS]);
    for (const each of body.data) {
      expect(Object.keys(each)).toEqual(['symbol', 'name', 'blockchain', 'network', 'type']);
      const native = Object.entries(NATIVE).find(([symbol]) => symbol === each.symbol)?.[1];
      expect(each).toMatchObject({
        name: expect.stringMatching(/^[A-Z]/),
        blockchain: native ?? 'Ethereum',
        network: 'simulated',
        type: native === undefined ? 'token' : 'coin',
      });
    }
  });

  test('name the live network for a live key', async () => {
    const { body } = await list('/cryptos/list', shop.keys.sk_live);
    expect(body.data).toHaveLength(16);
    expect(body.data[1]).toEqual({
      symbol: 'LTC',
      name: 'Litecoin',
      blockchain: 'Litecoin',
      network: 'mainnet',
      type: 'coin',
    });
  });

  test('of a merchant contain for a live key the coins with a wallet', async () => {
    expect((await list('/merchant/cryptos', shop.keys.sk_live)).body.data.map(({ symbol }) => symbol)).toEqual(['LTC']);
    expect((await list('/merchant/cryptos', merchant().keys.sk_live)).body.data).toEqual([]);
  });

  test('of a merchant omit wallets on networks that this service does not watch', async () => {
    const other = await app().addMerchant();
    await app().addLiveWallet(other);
    await database()
      .db.updateTable('wallet')
      .set({ network: 'litecoin-testnet' })
      .where('merchant_id', '=', other.id)
      .execute();
    expect((await list('/merchant/cryptos', other.keys.sk_live)).body.data).toEqual([]);
    await database()
      .db.updateTable('wallet')
      .set({ network: 'bitcoin-mainnet', crypto: 'BTC' })
      .where('merchant_id', '=', other.id)
      .execute();
    expect((await list('/merchant/cryptos', other.keys.sk_live)).body.data).toEqual([]);
  });

  test('of a merchant who opted to reject payments while a network lags omit it then', async () => {
    const careful = await app().addMerchant({ refuseWhenNetworkLags: true });
    await app().addLiveWallet(careful);
    // The network has not been polled yet.
    expect((await list('/merchant/cryptos', careful.keys.sk_live)).body.data).toEqual([]);
  });

  test.each(['/cryptos/list', '/merchant/cryptos', '/prices', '/balances', '/stats'])(
    '%s needs a secret key, like every route',
    async (path) => {
      expectProblem(await app().call({ path, key: null }), 401, 'UNAUTHORIZED');
      expectProblem(await app().call({ path, key: merchant().keys.pk_test }), 403, 'USE_PAY_ENDPOINT');
    },
  );

  test('of balances are always empty and marked as deprecated', async () => {
    const { status, text, headers } = await app().call({ path: '/balances', key: merchant().keys.sk_live });
    expect({ status, text }).toEqual({ status: 200, text: '{"success":true,"data":[]}' });
    // RFC 9745: a date of structured fields.
    expect(headers.deprecation).toMatch(/^@\d+$/);
    const since = new Date(Number(String(headers.deprecation).slice(1)) * 1_000);
    expect(since.toISOString()).toBe('2026-11-21T00:00:00.000Z');
    expect(headers.link).toMatch(/^<data:text\/plain,[\w%.-]+>; rel="deprecation"; type="text\/plain"$/);
  });
});
