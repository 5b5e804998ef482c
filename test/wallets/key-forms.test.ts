import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { CHAINS } from '../../machines/index.ts';
import { CHAIN_ADDRESSING, createDeriver, parseExtendedKey } from '../../src/wallets/index.ts';
import { KEY_VERSIONS } from '../../src/wallets/keys/key-versions.ts';
import { loadVectors, seedOfMnemonic, versionRow, withVersion } from './support.ts';

/**
 * Every form of extended key leads to the right addresses. The published vectors cover each mainnet
 * form; testnet forms are checked against the addresses that BIP49 and hardware wallets publish for
 * the recovery phrase of their tests.
 */

const ABANDON = `${'abandon '.repeat(11)}about`;

function account(path: string, prefix: string): string {
  const key = HDKey.fromMasterSeed(seedOfMnemonic(ABANDON)).derive(path).publicExtendedKey;
  return withVersion(key, versionRow(prefix).viewVersion);
}

describe('forms of extended keys', () => {
  it.each([
    ['tpub', "m/44'/1'/0'", 'mkpZhYtJu2r87Js3pDiWJDmPte2NRZ8bJV'],
    ['upub', "m/49'/1'/0'", '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2'],
    ['vpub', "m/84'/1'/0'", 'tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl'],
  ])('a %s of Bitcoin testnet derives its published first address', (prefix, path, address) => {
    const spec = { chain: 'bitcoin', networkKind: 'testnet', key: account(path, prefix) } as const;
    expect(createDeriver(parseExtendedKey(spec)).addressAt(0).address).toBe(address);
  });

  it('are all in the published vectors as far as they are mainnet forms of one signer', () => {
    const { vectors } = loadVectors<{ vectors: readonly { coin: string; prefix?: string }[] }>('hd-derivation');
    const published = new Set(vectors.flatMap(({ prefix }) => prefix ?? []));
    const forms = KEY_VERSIONS.filter(({ form, meaning }) => form === 'mainnet' && meaning !== 'multisig');
    expect([...published].sort()).toEqual(forms.map(({ prefix }) => prefix).sort());
  });

  const combinations = CHAINS.flatMap((chain) =>
    CHAIN_ADDRESSING[chain].addressTypes.flatMap((addressType) =>
      KEY_VERSIONS.filter((row) => row.chains.includes(chain) && row.meaning !== 'multisig').map((row) => ({
        chain,
        addressType,
        prefix: row.prefix,
        networkKind: row.form === 'mainnet' ? ('mainnet' as const) : ('testnet' as const),
      })),
    ),
  );

  it.each(combinations)('a $prefix of $chain with $addressType chosen pays the same as a plain key', (combination) => {
    const { chain, addressType, networkKind, prefix } = combination;
    const path = "m/44'/1'/7'";
    const chosen = { chain, networkKind, addressType, key: account(path, prefix) };
    const plain = { ...chosen, key: account(path, networkKind === 'mainnet' ? 'xpub' : 'tpub') };
    expect(createDeriver(chosen).addressesFrom(0, 3)).toEqual(createDeriver(plain).addressesFrom(0, 3));
    expect(parseExtendedKey(chosen).keyId).toBe(parseExtendedKey(plain).keyId);
  });

  it('Ethereum addresses are written with their checksum (EIP-55)', () => {
    const key = account("m/44'/60'/0'", 'xpub');
    const wallet = parseExtendedKey({ chain: 'ethereum', networkKind: 'mainnet', key });
    const [first] = createDeriver(wallet).addressesFrom(0, 1);
    // Published for this recovery phrase by several wallet vendors.
    expect(first?.address).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
  });
});
