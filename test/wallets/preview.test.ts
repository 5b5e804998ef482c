import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { createDeriver, MAX_PREVIEW_ADDRESSES, parseExtendedKey, previewAddresses } from '../../src/wallets/index.ts';
import { seedOfMnemonic, versionRow, withVersion } from './support.ts';

const ABANDON = `${'abandon '.repeat(11)}about`;

function account(path: string, prefix: string): string {
  const key = HDKey.fromMasterSeed(seedOfMnemonic(ABANDON)).derive(path).publicExtendedKey;
  return withVersion(key, versionRow(prefix).viewVersion);
}

describe('the preview of a key', () => {
  it('shows the addresses that payments will get, by index, with the interpretation of the key', () => {
    const spec = { chain: 'bitcoin', networkKind: 'mainnet', key: account("m/84'/0'/0'", 'zpub') } as const;
    const preview = previewAddresses({ ...spec, count: 3 });
    const { keyId, warnings } = parseExtendedKey(spec);
    expect(preview).toEqual({
      prefix: 'zpub',
      keyId,
      addressType: 'p2wpkh',
      warnings,
      // The first two are published in BIP84.
      addresses: [
        { index: 0, derivationPath: '0/0', address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' },
        { index: 1, derivationPath: '0/1', address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g' },
        { index: 2, derivationPath: '0/2', address: createDeriver(parseExtendedKey(spec)).addressAt(2).address },
      ],
      alternatives: [],
    });
  });

  it('shows the first address of each possible type when the key does not imply one', () => {
    const key = account("m/84'/2'/0'", 'Ltub');
    const spec = { chain: 'litecoin', networkKind: 'mainnet', key } as const;
    const preview = previewAddresses({ ...spec, count: 1 });
    expect(preview.addressType).toBe('p2pkh');
    expect(preview.warnings.map(({ code }) => code)).toEqual(['ADDRESS_TYPE_ASSUMED']);
    expect(preview.alternatives.map(({ addressType }) => addressType)).toEqual(['p2sh-p2wpkh', 'p2wpkh']);
    for (const { addressType, index, address } of preview.alternatives) {
      const chosen = previewAddresses({ ...spec, addressType, count: 1 });
      expect(chosen.addresses[0]).toMatchObject({ index, address });
      expect(chosen.alternatives).toEqual([]);
    }
  });

  it('offers no other type where the chain has only one', () => {
    const key = account("m/44'/3'/0'", 'dgub');
    expect(previewAddresses({ chain: 'dogecoin', networkKind: 'mainnet', key, count: 1 }).alternatives).toEqual([]);
  });

  it.each([0, -1, 1.5, MAX_PREVIEW_ADDRESSES + 1])('rejects a preview of %s addresses', (count) => {
    const key = account("m/84'/0'/0'", 'zpub');
    expect(() => previewAddresses({ chain: 'bitcoin', networkKind: 'mainnet', key, count })).toThrow(RangeError);
  });
});
