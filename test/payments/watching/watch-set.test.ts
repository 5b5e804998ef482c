import { randomBytes, randomUUID } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { expect, it } from 'vitest';
import { createWatchSet } from '../../../src/payments/index.ts';
import { allocateAddresses, parseExtendedKey, registerDerivationKey } from '../../../src/wallets/index.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../../support/database/test-database.ts';

const NETWORK = 'litecoin-regtest';

describeDatabases('the watch set', (database) => {
  it('contains every derived address after a refresh, and none of another network', async () => {
    const { db } = database();
    const watchSet = createWatchSet({ db, network: NETWORK });
    const elsewhere = createWatchSet({ db, network: 'litecoin-testnet' });
    const key = await newKey(db);
    for (let round = 0; round < 3; round += 1) {
      const [taken] = await db.transaction().execute((trx) => allocateAddresses(trx, [request(key)]));
      const watchKey = taken?.watchKey ?? '';
      expect(watchSet.has(watchKey)).toBe(false);
      await watchSet.refresh();
      await elsewhere.refresh();
      expect(watchSet.has(watchKey)).toBe(true);
      expect(elsewhere.has(watchKey)).toBe(false);
    }
  });
});

describePostgres('the watch set with slow transactions', () => {
  it('finds an address whose transaction started before a refresh and committed after it', async () => {
    const { db, drop } = await createPostgresDatabase();
    try {
      const watchSet = createWatchSet({ db, network: NETWORK });
      const [slow, quick] = [await newKey(db), await newKey(db)];
      let commit = () => {};
      const mayCommit = new Promise<void>((resolve) => {
        commit = resolve;
      });
      let began = () => {};
      const hasBegun = new Promise<void>((resolve) => {
        began = resolve;
      });
      const slowTransaction = db.transaction().execute(async (trx) => {
        const [taken] = await allocateAddresses(trx, [request(slow)]);
        began();
        await mayCommit;
        return taken?.watchKey ?? '';
      });
      await hasBegun;
      // A later transaction commits first, so a refresh by the newest row would skip the slow one.
      const [later] = await db.transaction().execute((trx) => allocateAddresses(trx, [request(quick)]));
      await watchSet.refresh();
      expect(watchSet.has(later?.watchKey ?? '')).toBe(true);
      commit();
      const watchKey = await slowTransaction;
      expect(watchSet.has(watchKey)).toBe(false);
      await watchSet.refresh();
      expect(watchSet.has(watchKey)).toBe(true);
    } finally {
      await drop();
    }
  });
});

// Helpers

function newKey(db: TestDatabase['db']): Promise<string> {
  const key = HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/2'/0'").publicExtendedKey;
  const walletKey = parseExtendedKey({ chain: 'litecoin', networkKind: 'regtest', key });
  return registerDerivationKey(db, { network: NETWORK, mode: 'live', walletKey, fingerprint: walletKey.keyId });
}

function request(derivationKeyId: string) {
  return { derivationKeyId, transactionId: randomUUID() };
}
