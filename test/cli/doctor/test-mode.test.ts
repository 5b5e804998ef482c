import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Mode } from '../../../machines/index.ts';
import { TEST_MODE_CHECKS } from '../../../src/cli/doctor/checks/test-mode.ts';
import { attachWallet, upsertMerchant } from '../../../src/merchants/index.ts';
import { createPostgresDatabase, describePostgres } from '../../support/database/test-database.ts';
import { createTestWallet } from '../../support/nodes/wallet.ts';
import { look } from './installation.ts';

const ONCHAIN = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  LTC_NETWORK: 'mainnet',
  LTC_RPC_URL: 'http://127.0.0.1:1',
  TEST_MODE: 'onchain',
  TEST_LTC_NETWORK: 'regtest',
  TEST_LTC_RPC_URL: 'http://127.0.0.1:2',
};

test('doctor reports that test payments are simulated', async () => {
  expect(await look(TEST_MODE_CHECKS, {})).toEqual([
    'ok TEST_MODE: test payments are simulated and need no node and no wallet',
  ]);
});

test('doctor names the networks of test keys, and no others', async () => {
  expect(await look(TEST_MODE_CHECKS, ONCHAIN)).toEqual(['ok TEST_MODE: test keys use litecoin-regtest']);
});

describePostgres('doctor with a database', () => {
  test('warns of a test network on which no merchant has a test wallet; a live wallet does not count', async () => {
    const { db, url, drop } = await createPostgresDatabase();
    const doctor = () => look(TEST_MODE_CHECKS, { ...ONCHAIN, DATABASE_URL: url ?? '' });
    const connected = 'ok TEST_MODE: test keys use litecoin-regtest';
    const missing =
      'warning TEST_MODE: no merchant has a test wallet on litecoin-regtest, so no test payment can be created there';
    const attach = async (mode: Mode) => {
      const merchant = { name: `Shop ${mode}`, email: `${mode}@shop.test`, plan: 'starter', settings: {} };
      const { id: merchantId } = await db.transaction().execute((trx) => upsertMerchant(trx, merchant));
      const spec = { crypto: 'LTC', extendedPublicKey: createTestWallet(randomUUID()).extendedPublicKey } as const;
      await attachWallet(db, { merchantId, mode, spec, networkKind: 'regtest' });
    };
    try {
      await attach('live');
      expect(await doctor()).toEqual([connected, missing]);
      await attach('test');
      expect(await doctor()).toEqual([connected]);
    } finally {
      await drop();
    }
  });
});
