import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CHAINS, type Chain, type Mode } from '../../machines/index.ts';
import { TerminalError } from '../../src/platform/errors.ts';
import {
  CHAIN_ADDRESSING,
  type NetworkKind,
  networkName,
  parseExtendedKey,
  registerDerivationKey,
} from '../../src/wallets/index.ts';
import { describeDatabases, type TestDatabase } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

type Db = TestDatabase['db'];

const KINDS: Readonly<Record<Mode, readonly NetworkKind[]>> = {
  live: ['mainnet', 'testnet', 'regtest'],
  test: ['testnet', 'regtest'],
};

/**
 * A key that is registered again: for any chain and address type, in either mode, on any network
 * that the mode allows.
 */
const gift = fc
  .record({ key: fc.nat({ max: 1 }), chain: fc.constantFrom(...CHAINS), mode: fc.constantFrom<Mode>('live', 'test') })
  .chain(({ key, chain, mode }) =>
    fc.record({
      key: fc.constant(key),
      chain: fc.constant(chain),
      mode: fc.constant(mode),
      kind: fc.constantFrom(...KINDS[mode]),
      addressType: fc.constantFrom(...CHAIN_ADDRESSING[chain].addressTypes),
    }),
  );
type Gift = typeof gift extends fc.Arbitrary<infer G> ? G : never;

describeDatabases('the mode of a receive chain', (database) => {
  it('is the first it was registered with, independent of other receive chains of its key', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(gift, { minLength: 1, maxLength: 6 }), async (gifts) => {
        const keys = [newAccount(), newAccount()];
        const modeOf = new Map<string, Mode>();
        for (const each of gifts) {
          const chain = [each.key, each.chain, each.kind, each.addressType].join();
          const expected = modeOf.get(chain) ?? each.mode;
          modeOf.set(chain, expected);
          const outcome = await register(database().db, keys[each.key], each);
          if (expected === each.mode) expect(outcome).toMatch(/^dkey_/);
          else expect(outcome).toBe('WALLET_OF_OTHER_MODE');
        }
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 60 : 20) },
    );
  });

  it('has one row, however many callers register it at the same moment', async () => {
    const same: Gift = { key: 0, chain: 'litecoin', mode: 'live', kind: 'mainnet', addressType: 'p2wpkh' };
    for (let round = 0; round < level.pick({ quick: 20, full: 100 }); round += 1) {
      const account = newAccount();
      const ids = await Promise.all(Array.from({ length: 6 }, () => register(database().db, account, same)));
      expect(new Set(ids).size).toBe(1);
    }
  });

  it('is one of the two when both are registered at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = newAccount();
      const requested = (['live', 'test', 'test', 'live'] as const).map((mode) =>
        register(database().db, key, {
          key: 0,
          chain: 'litecoin',
          mode,
          kind: 'regtest',
          addressType: 'p2wpkh',
        }),
      );
      const outcomes = await Promise.all(requested);
      expect(outcomes.filter((outcome) => outcome === 'WALLET_OF_OTHER_MODE')).toHaveLength(2);
      expect(new Set(outcomes).size).toBe(2);
    }
  });

  it('is never test on a main network: the database itself rejects it', async () => {
    const insert = database()
      .db.insertInto('derivation_key')
      .values({
        id: 'dkey_wrong',
        network: 'litecoin-mainnet',
        mode: 'test',
        fingerprint: 'wrong',
        extended_public_key: 'zpub',
        address_type: 'p2wpkh',
      })
      .execute();
    await expect(insert).rejects.toThrow(/derivation_key_no_test_on_main/);
  });
});

// Helpers

/** A new account key in the form that every chain's wallets accept. */
function newAccount(): HDKey {
  return HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/1'/0'");
}

/** The same key in its mainnet or testnet form. */
function textOf(account: HDKey, kind: NetworkKind): string {
  if (kind === 'mainnet') return account.publicExtendedKey;
  const versions = { public: 0x043587cf, private: 0x04358394 };
  const { publicKey, chainCode, depth, index, parentFingerprint } = account;
  if (publicKey === null || chainCode === null) throw new Error('the account has no public key');
  return new HDKey({ versions, publicKey, chainCode, depth, index, parentFingerprint }).publicExtendedKey;
}

/** The id of the key's row, or the error code. */
async function register(
  db: Db,
  account: HDKey | undefined,
  { chain, mode, kind, addressType }: Gift & { readonly chain: Chain },
): Promise<string> {
  if (account === undefined) throw new Error('there is no such key');
  const walletKey = parseExtendedKey({ chain, networkKind: kind, key: textOf(account, kind), addressType });
  const network = networkName(chain, kind);
  try {
    return await db
      .transaction()
      .execute((trx) => registerDerivationKey(trx, { network, mode, walletKey, fingerprint: walletKey.keyId }));
  } catch (error) {
    if (error instanceof TerminalError) return error.code;
    throw error;
  }
}
