import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { CRYPTO_SYMBOLS } from '../../../../machines/index.ts';
import { attachWallet, issueKeys, upsertMerchant } from '../../../../src/merchants/index.ts';
import type { TransactionView } from '../../../../src/payments/index.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { createTestWallet } from '../../../support/nodes/wallet.ts';
import type { TestMerchant } from '../../../support/service/app.ts';
import { expectProblem, useApp } from '../support.ts';

interface Listed {
  readonly data: readonly { readonly symbol: string; readonly network: string }[];
}

const OPERATOR = 'The service';

describeDatabases('test keys bound to a test network', (database) => {
  const { app, merchant } = useApp(database, {
    testNetworks: { kinds: { litecoin: 'regtest' } },
    liveRates: { LTC: '100' },
    operatorMerchant: OPERATOR,
  });
  let operator: TestMerchant;

  beforeAll(async () => {
    operator = await database()
      .db.transaction()
      .execute(async (trx) => {
        const entry = { name: OPERATOR, email: 'money@service.example', plan: 'enterprise', settings: {} };
        const { id } = await upsertMerchant(trx, entry);
        return { id, keys: await issueKeys(trx, id, 0) };
      });
    await app().addLiveWallet(operator);
    await app().addLiveWallet(merchant());
  });

  const walletOf = ({ id }: TestMerchant) => createTestWallet(`test wallet of ${id}`);
  async function addTestWallet(shop: TestMerchant): Promise<void> {
    const spec = { crypto: 'LTC', extendedPublicKey: walletOf(shop).extendedPublicKey } as const;
    await attachWallet(database().db, { merchantId: shop.id, mode: 'test', spec, networkKind: 'regtest' });
  }
  const create = (key: string, crypto = 'LTC') =>
    app().call<{ data: TransactionView }>({
      method: 'POST',
      path: '/transactions/create',
      key,
      body: { crypto, amount: 25 },
    });
  const checkout = (key: string) =>
    app().call<{ data: TransactionView }>({
      method: 'POST',
      path: '/billing/checkout',
      key,
      body: { tier: 'business' },
    });

  test('see their networks, and cannot be paid without a test wallet', async () => {
    const { sk_test, sk_live } = merchant().keys;
    const all = (await app().call<Listed>({ path: '/cryptos/list', key: sk_test })).body.data;
    expect(all.map(({ symbol }) => symbol)).toEqual(CRYPTO_SYMBOLS);
    expect(new Set(all.map(({ network }) => network))).toEqual(new Set(['testnet', 'regtest']));
    expect(all.find(({ symbol }) => symbol === 'LTC')?.network).toBe('regtest');
    const payable = async (key: string) =>
      (await app().call<Listed>({ path: '/merchant/cryptos', key })).body.data.map(({ symbol }) => symbol);
    expect(await payable(sk_test)).toEqual([]);
    expect(await payable(sk_live)).toEqual(['LTC']);
    const { message } = expectProblem(await create(sk_test), 400, 'WALLET_NOT_CONFIGURED');
    expect(message).toMatch(/^No test wallet is configured for LTC: add .* of a wallet on litecoin-regtest/);
  });

  test('are paid into the test wallet, and simulation is rejected; live keys are unaffected', async () => {
    const shop = await app().addMerchant();
    await addTestWallet(shop);
    const { sk_test, sk_live } = shop.keys;
    const { status, body } = await create(sk_test);
    expect([status, body.data.deposit_address]).toEqual([201, walletOf(shop).addressAt(0)]);
    const path = `/transactions/${body.data.transaction_id}/simulate`;
    const { message } = expectProblem(
      await app().call({ method: 'POST', path, key: sk_test, body: { action: 'pay' } }),
      403,
      'FORBIDDEN',
    );
    expect(message).toContain('This test payment is on litecoin-regtest, a real network');
    expectProblem(await create(sk_live), 400, 'WALLET_NOT_CONFIGURED');
    await app().addLiveWallet(shop);
    const live = await create(sk_live);
    expect(live.body.data.deposit_address).toMatch(/^ltc1q/);
    expectProblem(await create(sk_test, 'BTC'), 400, 'WALLET_NOT_CONFIGURED');
  });

  test('are limited by the plan, like live keys', async () => {
    const shop = await app().addMerchant();
    await addTestWallet(shop);
    await sql`
      insert into monthly_usage (merchant_id, month, used)
      values (${shop.id}, to_char(${new Date(app().clock.now())}::timestamptz at time zone 'utc', 'YYYY-MM'), 1000)`.execute(
      database().db,
    );
    expectProblem(await create(shop.keys.sk_test), 429, 'MONTHLY_LIMIT_REACHED');
  });

  test('buy plans from the test wallet of the operator, once there is one', async () => {
    const shop = await app().addMerchant();
    expectProblem(await checkout(shop.keys.sk_test), 403, 'FORBIDDEN');
    await addTestWallet(operator);
    const { status, body } = await checkout(shop.keys.sk_test);
    expect([status, body.data.crypto, body.data.deposit_address]).toEqual([
      201,
      'LTC',
      walletOf(operator).addressAt(0),
    ]);
    expect((await checkout(shop.keys.sk_live)).body.data.deposit_address).toMatch(/^ltc1q/);
  });
});
