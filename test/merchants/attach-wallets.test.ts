import { randomBytes, randomUUID } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  attachWallet,
  attachWallets,
  listWallets,
  upsertMerchant,
  type WalletsToAttach,
} from '../../src/merchants/index.ts';
import { TerminalError } from '../../src/platform/errors.ts';
import { previewAddresses } from '../../src/wallets/index.ts';
import { startEngine, startPayment } from '../payments/watching/sink-support.ts';
import { describeDatabases, type TestDatabase } from '../support/database/test-database.ts';
import { changeTransactions } from '../support/database/transaction-rows.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

type Db = TestDatabase['db'];
const COINS = ['ETH', 'USDT', 'USDC', 'DAI'] as const;
const KEY_COUNT = 3;

/**
 * A user attaches one of a few keys for some Ethereum coins, with or without allowing replacement.
 */
const wish = fc.record({
  key: fc.nat({ max: KEY_COUNT - 1 }),
  cryptos: fc.uniqueArray(fc.constantFrom(...COINS), { minLength: 1 }),
  replaces: fc.boolean(),
});

describeDatabases('verified wallets', (database) => {
  const db = () => database().db;

  it('are the last ones set for each coin, unless one would be replaced without confirmation; each change is audited', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(wish, { maxLength: 8 }), async (wishes) => {
        const merchantId = await newMerchant(db());
        const keys = newKeys();
        const keyOf = new Map<string, number>();
        const sent: string[] = [];
        for (const { key, cryptos, replaces } of wishes) {
          const replaced = cryptos.filter((crypto) => keyOf.has(crypto) && keyOf.get(crypto) !== key);
          const attached = cryptos.filter((crypto) => !keyOf.has(crypto));
          const outcome = await attach(db(), { merchantId, cryptos, key: keys[key], replaces });
          if (replaced.length > 0 && !replaces) {
            expect(outcome).toBe('WALLET_EXISTS');
            continue;
          }
          expect(outcome).toEqual({ network: 'ethereum-mainnet', attached, replaced });
          for (const crypto of cryptos) keyOf.set(crypto, key);
          if (attached.length > 0) sent.push(`wallet.attached ${attached.join()}`);
          if (replaced.length > 0) sent.push(`wallet.replaced ${replaced.join()}`);
        }
        expect(await walletsOf(db(), merchantId)).toEqual(groupsOf(keys, keyOf));
        expect(await auditOf(db(), merchantId, keys)).toEqual(sent);
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 15 : 6) },
    );
  });

  it('set concurrently are applied one after the other', async () => {
    const merchantId = await newMerchant(db());
    const cryptos = ['ETH', 'DAI'] as const;
    const outcomes = await Promise.all(
      newKeys().map((key) => attach(db(), { merchantId, cryptos, key, replaces: false })),
    );
    expect(outcomes.filter((outcome) => outcome === 'WALLET_EXISTS')).toHaveLength(2);
    expect(await auditOf(db(), merchantId)).toEqual(['wallet.attached ETH,DAI']);
    expect(await walletsOf(db(), merchantId)).toHaveLength(1);
  });

  it('with another first address are rejected', async () => {
    const merchantId = await newMerchant(db());
    const [key, other] = newKeys();
    const input = { merchantId, cryptos: ['ETH'], key, replaces: true, firstAddress: firstAddressOf(other) } as const;
    expect(await attach(db(), input)).toBe('ADDRESS_MISMATCH');
    expect(await walletsOf(db(), merchantId)).toEqual([]);
  });

  it('reject the key of another merchant, whichever coin or form, and change nothing', async () => {
    const [merchantId, neighbour] = [await newMerchant(db()), await newMerchant(db())];
    const [key] = newKeys();
    await attach(db(), { merchantId, cryptos: ['ETH'], key, replaces: false });
    for (const cryptos of [['ETH'], ['USDT'], ['DAI', 'ETH']] as const) {
      expect(await attach(db(), { merchantId: neighbour, cryptos, key, replaces: true })).toBe('WALLET_SHARED');
    }
    expect(await walletsOf(db(), neighbour)).toEqual([]);
    expect(await auditOf(db(), neighbour)).toEqual([]);
    const more = await attach(db(), { merchantId, cryptos: ['DAI'], key, replaces: false });
    expect(more).toMatchObject({ attached: ['DAI'] });
  });

  it('set for one key by two merchants at the same time belong to exactly one of them', async () => {
    for (const isKnown of [false, true]) {
      const merchants = await Promise.all([0, 1, 2].map(() => newMerchant(db())));
      const [key, later] = newKeys();
      if (isKnown) {
        const [first = ''] = merchants;
        await attach(db(), { merchantId: first, cryptos: ['ETH'], key, replaces: false });
        await attach(db(), { merchantId: first, cryptos: ['ETH'], key: later, replaces: true });
      }
      const outcomes = await Promise.all(
        merchants.map((merchantId) => attach(db(), { merchantId, cryptos: ['ETH'], key, replaces: true })),
      );
      expect(outcomes.filter((outcome) => outcome === 'WALLET_SHARED')).toHaveLength(2);
      const holders = await Promise.all(merchants.map((merchantId) => walletsOf(db(), merchantId)));
      expect(holders.flat().filter((wallet) => wallet.startsWith(firstAddressOf(key)))).toHaveLength(1);
    }
  });

  it('go back to an earlier key of the merchant, which stays closed to others once it took a payment', async () => {
    const [merchantId, neighbour] = [await newMerchant(db()), await newMerchant(db())];
    const [key, next] = newKeys();
    await attach(db(), { merchantId, cryptos: ['ETH'], key, replaces: false });
    await startPaymentOf(db(), merchantId);
    await attach(db(), { merchantId, cryptos: ['ETH'], key: next, replaces: true });
    expect(await attach(db(), { merchantId: neighbour, cryptos: ['ETH'], key, replaces: false })).toBe('WALLET_SHARED');
    const again = await attach(db(), { merchantId, cryptos: ['ETH'], key, replaces: true });
    expect(again).toMatchObject({ replaced: ['ETH'] });
  });

  it('that the operator lets merchants share stay with both', async () => {
    const [merchantId, neighbour] = [await newMerchant(db()), await newMerchant(db())];
    const [key = ''] = newKeys();
    await attach(db(), { merchantId, cryptos: ['ETH'], key, replaces: false });
    const spec = { crypto: 'ETH', extendedPublicKey: key } as const;
    await db()
      .transaction()
      .execute((trx) => attachWallet(trx, { merchantId: neighbour, mode: 'live', spec, networkKind: 'mainnet' }));
    for (const sharer of [merchantId, neighbour]) {
      const again = await attach(db(), { merchantId: sharer, cryptos: ['ETH', 'DAI'], key, replaces: false });
      expect(again).toMatchObject({ attached: ['DAI'], replaced: [] });
    }
  });
});

// Helpers

async function newMerchant(db: Db): Promise<string> {
  const merchant = { name: `Shop ${randomUUID()}`, email: `${randomUUID()}@shop.test`, plan: 'starter', settings: {} };
  return (await db.transaction().execute((trx) => upsertMerchant(trx, merchant))).id;
}

function newKeys(): string[] {
  const newKey = () => HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'").publicExtendedKey;
  return Array.from({ length: KEY_COUNT }, newKey);
}

/** A payment of the merchant at the first address of its wallet. */
async function startPaymentOf(db: Db, merchantId: string): Promise<void> {
  const wallet = await db
    .selectFrom('wallet')
    .select(['network', 'derivation_key_id as derivationKeyId'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  const { transactionId } = await startPayment(db, startEngine(db), { ...wallet, crypto: 'ETH' });
  await changeTransactions(db, { merchant_id: merchantId }, { id: transactionId });
}

function firstAddressOf(key: string | undefined): string {
  const spec = { chain: 'ethereum', networkKind: 'mainnet', key: key ?? '', count: 1 } as const;
  return previewAddresses(spec).addresses[0]?.address ?? '';
}

/** The result, or the error code. */
async function attach(
  db: Db,
  input: Pick<WalletsToAttach, 'merchantId' | 'cryptos' | 'replaces'> & {
    key: string | undefined;
    firstAddress?: string;
  },
) {
  const { key, firstAddress = firstAddressOf(key), ...more } = input;
  const spec = {
    ...more,
    mode: 'live',
    networkKind: 'mainnet',
    extendedPublicKey: key ?? '',
    firstAddress,
  } as const;
  try {
    return await db.transaction().execute((trx) => attachWallets({ trx, who: 'test', now: 0 }, spec));
  } catch (error) {
    if (error instanceof TerminalError) return error.code;
    throw error;
  }
}

async function walletsOf(db: Db, merchantId: string) {
  const wallets = await listWallets(db, merchantId);
  return wallets.map(({ cryptos, firstAddresses }) => `${firstAddresses[0]} ${cryptos.join()}`).toSorted();
}

function groupsOf(keys: readonly string[], keyOf: ReadonlyMap<string, number>): string[] {
  return keys
    .flatMap((key, index) => {
      const coins = [...keyOf].filter(([, other]) => other === index).map(([coin]) => coin);
      return coins.length === 0 ? [] : [`${firstAddressOf(key)} ${coins.toSorted().join()}`];
    })
    .toSorted();
}

async function auditOf(db: Db, merchantId: string, keys: readonly string[] = []): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entry')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .orderBy('id')
    .execute();
  for (const { details } of rows) for (const key of keys) expect(JSON.stringify(details)).not.toContain(key);
  return rows.map(({ what, details }) => `${what} ${coinsOf(details).join()}`);
}

function coinsOf(details: unknown): readonly unknown[] {
  const coins = typeof details === 'object' && details !== null && 'cryptos' in details ? details.cryptos : [];
  return Array.isArray(coins) ? coins : [];
}
