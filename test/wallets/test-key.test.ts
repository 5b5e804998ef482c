import { createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { CHAINS } from '../../machines/index.ts';
import { addressNetwork, CHAIN_ADDRESSING } from '../../src/wallets/address-formats.ts';
import { createDeriver } from '../../src/wallets/keys/derive.ts';
import { parseExtendedKey } from '../../src/wallets/keys/extended-key.ts';
import { TEST_ACCOUNT_PATHS, TEST_SEED_SENTENCE, testWalletKey } from '../../src/wallets/keys/test-key.ts';
import { scriptOfAddress } from './script-of-address.ts';
import { terminalErrorOf, versionRow, withVersion } from './support.ts';

describe('the wallets of test mode', () => {
  it.each(CHAINS)('%s: the key is derived from the printed seed', (chain) => {
    const seed = new Uint8Array(createHash('sha512').update(TEST_SEED_SENTENCE, 'utf8').digest());
    const account = HDKey.fromMasterSeed(seed).derive(TEST_ACCOUNT_PATHS[chain]);
    const { prefix, depth, warnings } = parseExtendedKey(testWalletKey(chain));
    const { viewVersion } = versionRow(prefix);
    expect(withVersion(account.publicExtendedKey, viewVersion)).toBe(testWalletKey(chain).key);
    expect({ depth, warnings }).toEqual({ depth: 3, warnings: [] });
  });

  it.each(CHAINS)('%s: the key is rejected as a mainnet wallet', (chain) => {
    const error = terminalErrorOf(() => parseExtendedKey({ ...testWalletKey(chain), networkKind: 'mainnet' }));
    expect(error.code).toBe('INVALID_EXTENDED_KEY');
  });

  it.each([
    ['bitcoin', /^bcrt1q/],
    ['litecoin', /^rltc1q/],
    ['dogecoin', /^n/],
    ['dash', /^y/],
    ['ethereum', /^0x/],
  ] as const)('%s addresses look like %s', (chain, form) => {
    expect(testWalletKey(chain).networkKind).not.toBe('mainnet');
    for (let index = 0; index < 50; index += 1) {
      expect(createDeriver(testWalletKey(chain)).addressAt(index).address).toMatch(form);
    }
  });

  it('no chain accepts a UTXO test address on its mainnet', () => {
    for (const chain of CHAINS.filter((candidate) => candidate !== 'ethereum')) {
      const { address } = createDeriver(testWalletKey(chain)).addressAt(0);
      for (const other of CHAINS) {
        const mainnet = addressNetwork(other, 'mainnet');
        if (mainnet.family === 'utxo') expect(scriptOfAddress(mainnet, address)).toBeNull();
      }
    }
  });

  it('every chain has keys and addresses of its own', () => {
    expect(new Set(CHAINS.map((chain) => parseExtendedKey(testWalletKey(chain)).keyId)).size).toBe(CHAINS.length);
    expect(Object.keys(CHAIN_ADDRESSING).sort()).toEqual([...CHAINS].sort());
  });
});
