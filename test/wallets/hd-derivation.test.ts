import { hex } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { addressOfPublicKey, childOf, createDeriver } from '../../src/wallets/keys/derive.ts';
import { parseExtendedKey, readExtendedKey } from '../../src/wallets/keys/extended-key.ts';
import { addressTypeOf, chainOfCoin, loadVectors, seedOfMnemonic, versionRow, withVersion } from './support.ts';

interface Vector {
  readonly coin: string;
  readonly scriptType: string;
  readonly prefix?: string;
  readonly key: string | null;
  readonly mnemonic?: string;
  readonly accountPath?: string;
  readonly externalChainKey?: string;
  readonly addresses?: readonly { change: number; index: number; address: string }[];
  readonly fullPathAddresses?: readonly { path: string; address: string }[];
}

const { vectors } = loadVectors<{ vectors: readonly Vector[] }>('hd-derivation');
const keyVectors = vectors.flatMap((vector) => (vector.key === null ? [] : [{ ...vector, key: vector.key }]));
const pathVectors = vectors.flatMap(({ mnemonic, fullPathAddresses }) =>
  mnemonic === undefined || fullPathAddresses === undefined ? [] : [{ mnemonic, fullPathAddresses }],
);

function specOf(vector: (typeof keyVectors)[number]) {
  const chain = chainOfCoin(vector.coin);
  const addressType = addressTypeOf(vector.scriptType);
  return { chain, networkKind: 'mainnet', addressType, key: vector.key } as const;
}

describe('published derivation vectors', () => {
  it('exist for every chain and every address type', () => {
    expect(keyVectors.length).toBeGreaterThan(30);
    expect(pathVectors.length).toBeGreaterThan(0);
    const kinds = new Set(vectors.map((vector) => `${vector.coin} ${vector.scriptType}`));
    expect(kinds).toEqual(
      new Set([
        ...['p2pkh', 'p2sh-p2wpkh', 'p2wpkh'].flatMap((type) => [`BTC ${type}`, `LTC ${type}`]),
        'DOGE p2pkh',
        'DASH p2pkh',
        'ETH eth',
      ]),
    );
  });

  it.each(keyVectors)('$coin $prefix $scriptType $key derives to the published addresses', (vector) => {
    const spec = specOf(vector);
    const deriver = createDeriver(spec);
    const { hdKey } = readExtendedKey(spec);
    for (const { change, index, address } of vector.addresses ?? []) {
      const publicKey = childOf(childOf(hdKey, change), index).publicKey;
      if (publicKey === null) throw new Error('no public key');
      expect(addressOfPublicKey({ ...spec, publicKey }).address).toBe(address);
      if (change === 0) expect(deriver.addressAt(index)).toMatchObject({ address, derivationPath: `0/${index}` });
    }
  });

  it.each(keyVectors)('$coin $prefix implies $scriptType by itself ($key)', (vector) => {
    const { addressType, ...spec } = specOf(vector);
    const parsed = parseExtendedKey(spec);
    expect(parsed.prefix).toBe(vector.prefix);
    expect(parsed.addressType).toBe(addressType);
  });

  it.each(keyVectors.filter((vector) => vector.mnemonic !== undefined && vector.accountPath !== undefined))(
    '$coin $prefix $accountPath is derived from its recovery phrase',
    (vector) => {
      const row = versionRow(vector.prefix ?? '');
      const account = HDKey.fromMasterSeed(seedOfMnemonic(vector.mnemonic ?? '')).derive(vector.accountPath ?? '');
      expect(withVersion(account.publicExtendedKey, row.viewVersion)).toBe(vector.key);
      if (vector.externalChainKey !== undefined) {
        const receiveChain = account.deriveChild(0).publicExtendedKey;
        expect(withVersion(receiveChain, row.viewVersion)).toBe(vector.externalChainKey);
      }
    },
  );

  it('Ethereum addresses match those published for whole paths', () => {
    for (const { mnemonic, fullPathAddresses } of pathVectors) {
      const master = HDKey.fromMasterSeed(seedOfMnemonic(mnemonic));
      for (const { path, address } of fullPathAddresses) {
        const publicKey = master.derive(path).publicKey;
        if (publicKey === null) throw new Error('no public key');
        const derived = addressOfPublicKey({
          chain: 'ethereum',
          networkKind: 'mainnet',
          addressType: 'evm',
          publicKey,
        });
        expect(derived).toEqual({ address, watchKey: address.toLowerCase(), scriptPubKeyHex: null });
        const receive = /^(m\/44'\/60'\/0')\/0\/(\d+)$/.exec(path);
        if (receive === null) continue;
        const key = master.derive(receive[1] ?? '').publicExtendedKey;
        const wallet = { chain: 'ethereum', networkKind: 'mainnet', addressType: 'evm', key } as const;
        expect(createDeriver(wallet).addressAt(Number(receive[2])).address).toBe(address);
      }
    }
  });
});

describe('BIP32 vectors', () => {
  interface Bip32 {
    readonly vectors: readonly {
      readonly id: number;
      readonly seed: string;
      readonly chains: readonly { path: string; pub: string; prv: string }[];
    }[];
  }
  const chains = loadVectors<Bip32>('bip32').vectors.flatMap(({ id, seed, chains: steps }) =>
    steps.map((step) => ({ id, seed, ...step })),
  );

  it.each(chains)('vector $id $path is parsed, and derives like its private side', ({ seed, path, pub }) => {
    const parsed = parseExtendedKey({ chain: 'bitcoin', networkKind: 'mainnet', key: pub });
    const privateSide = HDKey.fromMasterSeed(hex.decode(seed)).derive(path);
    expect(privateSide.publicExtendedKey).toBe(pub);
    expect(parsed.depth).toBe(privateSide.depth);
    const publicKey = privateSide.deriveChild(0).deriveChild(7).publicKey;
    if (publicKey === null) throw new Error('no public key');
    expect(addressOfPublicKey({ ...parsed, publicKey }).address).toBe(createDeriver(parsed).addressAt(7).address);
  });
});
