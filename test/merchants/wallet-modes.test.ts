import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Mode } from '../../machines/index.ts';
import {
  attachWallet,
  createWalletFinder,
  findWalletCryptos,
  listWallets,
  upsertMerchant,
} from '../../src/merchants/index.ts';
import { LITECOIN, startEngine, startPayment } from '../payments/watching/sink-support.ts';
import { describeDatabases, type TestDatabase } from '../support/database/test-database.ts';
import { changeTransactions } from '../support/database/transaction-rows.ts';
import { createTestWallet } from '../support/nodes/wallet.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

type Db = TestDatabase['db'];

const BOTH_WAYS = [
  ['live', 'test'],
  ['test', 'live'],
] as const;

const LIVE_FORMS = [
  [
    'bitcoin',
    'BTC',
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  ],
  [
    'litecoin',
    'LTC',
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  ],
] as const;

describeDatabases('wallets for live and test keys', (database) => {
  const db = () => database().db;

  it('are found only by keys of their own mode, even on one network', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(fc.constantFrom<Mode>('live', 'test'), { maxLength: 5 }), async (modes) => {
        const merchantId = await newMerchant(db());
        const wallets = createWalletFinder({ db: db() });
        let latest: Mode | null = null;
        // A test network that once served live keys can serve test keys later, which must not get
        // its old wallet.
        for (const mode of modes) {
          await attach(db(), { merchantId, mode, key: `${merchantId} ${mode}` });
          latest = mode;
        }
        for (const mode of ['live', 'test'] as const) {
          const lookup = { merchantId, mode, crypto: 'LTC', network: 'litecoin-regtest' } as const;
          const found = await wallets.find(lookup).then(
            () => 'found',
            (error: Error) => error.message,
          );
          if (latest === mode) expect(found).toBe('found');
          else
            expect(found).toMatch(
              mode === 'test' ? /^No test wallet is configured for LTC/ : /^No wallet is configured/,
            );
          const cryptos = await findWalletCryptos(db(), { merchantId, mode });
          expect(cryptos).toHaveLength(latest === mode ? 1 : 0);
        }
        expect((await listWallets(db(), merchantId)).map(({ mode }) => mode)).toEqual(latest === null ? [] : [latest]);
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 40 : 15) },
    );
  });

  it.each(LIVE_FORMS)('for test keys reject a main network key on %s', async (_, crypto, extendedPublicKey) => {
    const merchantId = await newMerchant(db());
    const spec = { crypto, extendedPublicKey } as const;
    await expect(attachWallet(db(), { merchantId, mode: 'test', spec, networkKind: 'regtest' })).rejects.toMatchObject({
      code: 'INVALID_EXTENDED_KEY',
      message: expect.stringMatching(/A zpub is a mainnet key, and test payments never use a live wallet.*vpub/),
    });
    expect(await listWallets(db(), merchantId)).toEqual([]);
  });

  it('for test keys reject the key of a live wallet of the merchant, on any network, and vice versa', async () => {
    for (const [first, second] of BOTH_WAYS) {
      const merchantId = await newMerchant(db());
      const key = `shared ${randomUUID()}`;
      await attach(db(), { merchantId, mode: first, key });
      for (const networkKind of ['regtest', 'testnet'] as const) {
        await expect(attach(db(), { merchantId, mode: second, key, networkKind })).rejects.toMatchObject({
          code: 'WALLET_OF_OTHER_MODE',
          message: expect.stringContaining(`This key already receives ${first} payments (litecoin-regtest)`),
        });
      }
    }
  });

  it('remember the mode of a replaced key that has taken a payment', async () => {
    const merchantId = await newMerchant(db());
    await attach(db(), { merchantId, mode: 'live', key: merchantId });
    const { derivation_key_id: derivationKeyId } = await db()
      .selectFrom('wallet')
      .select('derivation_key_id')
      .where('merchant_id', '=', merchantId)
      .executeTakeFirstOrThrow();
    const paid = { derivationKeyId, network: LITECOIN, crypto: 'LTC' } as const;
    const { transactionId } = await startPayment(db(), startEngine(db()), paid);
    await changeTransactions(db(), { merchant_id: merchantId }, { id: transactionId });
    await attach(db(), { merchantId, mode: 'live', key: `another of ${merchantId}` });
    const again = attach(db(), { merchantId, mode: 'test', key: merchantId, networkKind: 'testnet' });
    await expect(again).rejects.toMatchObject({ code: 'WALLET_OF_OTHER_MODE' });
  });

  it('of one merchant do not prevent another from using its key, and reveal nothing about each other', async () => {
    for (const [first, second] of BOTH_WAYS) {
      const key = `known to others ${randomUUID()}`;
      await attach(db(), { merchantId: await newMerchant(db()), mode: first, key, networkKind: 'testnet' });
      const owner = await newMerchant(db());
      await attach(db(), { merchantId: owner, mode: second, key });
      expect((await listWallets(db(), owner)).map(({ mode }) => mode)).toEqual([second]);
    }
  });

  it('share the addresses of one receive chain in the mode of the first: the error names no other merchant', async () => {
    const key = `of a network that served test keys once ${randomUUID()}`;
    await attach(db(), { merchantId: await newMerchant(db()), mode: 'test', key });
    await expect(attach(db(), { merchantId: await newMerchant(db()), mode: 'live', key })).rejects.toMatchObject({
      code: 'WALLET_OF_OTHER_MODE',
      message: expect.stringMatching(/^This key cannot receive live payments on litecoin-regtest\. /),
    });
  });
});

// Helpers

async function newMerchant(db: Db): Promise<string> {
  const merchant = { name: `Shop ${randomUUID()}`, email: `${randomUUID()}@shop.test`, plan: 'starter', settings: {} };
  return (await db.transaction().execute((trx) => upsertMerchant(trx, merchant))).id;
}

interface Given {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly key: string;
  readonly networkKind?: 'regtest' | 'testnet';
}

function attach(db: Db, { key, networkKind = 'regtest', ...whose }: Given) {
  const spec = { crypto: 'LTC', extendedPublicKey: createTestWallet(key).extendedPublicKey } as const;
  return db.transaction().execute((trx) => attachWallet(trx, { ...whose, spec, networkKind }));
}
