import { randomBytes, randomUUID } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { attachWallets, listWallets, upsertMerchant, type WalletsToAttach } from '../../src/merchants/index.ts';
import { TerminalError } from '../../src/platform/errors.ts';
import { previewAddresses } from '../../src/wallets/index.ts';
import { describeDatabases, type TestDatabase } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

type Db = TestDatabase['db'];
const COINS = ['ETH', 'USDT', 'USDC', 'DAI'] as const;
const KEYS = Array.from(
  { length: 3 },
  () => HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'").publicExtendedKey,
);

/**
 * A user attaches one of a few keys for some Ethereum coins, with or without allowing replacement.
 */
const wish = fc.record({
  key: fc.nat({ max: KEYS.length - 1 }),
  cryptos: fc.uniqueArray(fc.constantFrom(...COINS), { minLength: 1 }),
  replaces: fc.boolean(),
});

describeDatabases('verified wallets', (database) => {
  const db = () => database().db;

  it('are the last ones set for each coin, unless one would be replaced without confirmation; each change is audited', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(wish, { maxLength: 8 }), async (wishes) => {
        const merchantId = await newMerchant(db());
        const keyOf = new Map<string, number>();
        const sent: string[] = [];
        for (const { key, cryptos, replaces } of wishes) {
          const replaced = cryptos.filter((crypto) => keyOf.has(crypto) && keyOf.get(crypto) !== key);
          const attached = cryptos.filter((crypto) => !keyOf.has(crypto));
          const outcome = await attach(db(), { merchantId, cryptos, key, replaces });
          if (replaced.length > 0 && !replaces) {
            expect(outcome).toBe('WALLET_EXISTS');
            continue;
          }
          expect(outcome).toEqual({ network: 'ethereum-mainnet', attached, replaced });
          for (const crypto of cryptos) keyOf.set(crypto, key);
          if (attached.length > 0) sent.push(`wallet.attached ${attached.join()}`);
          if (replaced.length > 0) sent.push(`wallet.replaced ${replaced.join()}`);
        }
        expect(await walletsOf(db(), merchantId)).toEqual(groupsOf(keyOf));
        expect(await auditOf(db(), merchantId)).toEqual(sent);
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 15 : 6) },
    );
  });

  it('set concurrently are applied one after the other', async () => {
    const merchantId = await newMerchant(db());
    const cryptos = ['ETH', 'DAI'] as const;
    const outcomes = await Promise.all(
      [0, 1, 2].map((key) => attach(db(), { merchantId, cryptos, key, replaces: false })),
    );
    expect(outcomes.filter((outcome) => outcome === 'WALLET_EXISTS')).toHaveLength(2);
    expect(await auditOf(db(), merchantId)).toEqual(['wallet.attached ETH,DAI']);
    expect(await walletsOf(db(), merchantId)).toHaveLength(1);
  });

  it('with another first address are rejected', async () => {
    const merchantId = await newMerchant(db());
    const input = { merchantId, cryptos: ['ETH'], key: 0, replaces: true, firstAddress: firstAddressOf(1) } as const;
    expect(await attach(db(), input)).toBe('ADDRESS_MISMATCH');
    expect(await walletsOf(db(), merchantId)).toEqual([]);
  });
});

// Helpers

async function newMerchant(db: Db): Promise<string> {
  const merchant = { name: `Shop ${randomUUID()}`, email: `${randomUUID()}@shop.test`, plan: 'starter', settings: {} };
  return (await db.transaction().execute((trx) => upsertMerchant(trx, merchant))).id;
}

function firstAddressOf(key: number): string {
  const spec = { chain: 'ethereum', networkKind: 'mainnet', key: KEYS[key] ?? '', count: 1 } as const;
  return previewAddresses(spec).addresses[0]?.address ?? '';
}

/** The result, or the error code. */
async function attach(
  db: Db,
  input: Pick<WalletsToAttach, 'merchantId' | 'cryptos' | 'replaces'> & { key: number; firstAddress?: string },
) {
  const { key, firstAddress = firstAddressOf(key), ...more } = input;
  const spec = {
    ...more,
    mode: 'live',
    networkKind: 'mainnet',
    extendedPublicKey: KEYS[key] ?? '',
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

function groupsOf(keyOf: ReadonlyMap<string, number>): string[] {
  return KEYS.flatMap((_, key) => {
    const coins = [...keyOf].filter(([, other]) => other === key).map(([coin]) => coin);
    return coins.length === 0 ? [] : [`${firstAddressOf(key)} ${coins.toSorted().join()}`];
  }).toSorted();
}

async function auditOf(db: Db, merchantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entry')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .orderBy('id')
    .execute();
  for (const { details } of rows) for (const key of KEYS) expect(JSON.stringify(details)).not.toContain(key);
  return rows.map(({ what, details }) => `${what} ${coinsOf(details).join()}`);
}

function coinsOf(details: unknown): readonly unknown[] {
  const coins = typeof details === 'object' && details !== null && 'cryptos' in details ? details.cryptos : [];
  return Array.isArray(coins) ? coins : [];
}
