import { hex } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chain } from '../../machines/index.ts';
import type { NetworkKind } from '../../src/platform/network-kind.ts';
import { NETWORK_KINDS } from '../../src/platform/network-kind.ts';
import type { UtxoNetwork } from '../../src/wallets/address-formats.ts';
import { addressNetwork } from '../../src/wallets/address-formats.ts';
import { addressOfScript } from '../../src/wallets/address-of-script.ts';
import { p2pkhScript, p2shScript, p2wpkhScript, scriptOfAddress } from './script-of-address.ts';
import { base58check, chainOfCoin, loadVectors } from './support.ts';

const UTXO_CHAINS = ['bitcoin', 'litecoin', 'dogecoin', 'dash'] as const;
const LEGACY_LITECOIN_P2SH = [0x05, 0xc4];

function utxoNetwork(chain: Chain, networkKind: NetworkKind): UtxoNetwork {
  const network = addressNetwork(chain, networkKind);
  if (network.family !== 'utxo') throw new Error(`${chain} is not a UTXO chain`);
  return network;
}

describe('published address and script pairs', () => {
  const { vectors } = loadVectors<{
    vectors: { coin: string; network: NetworkKind; address: string; scriptPubKey: string }[];
  }>('address-script');

  it.each(vectors)('$coin $network $address', ({ coin, network: networkKind, address, scriptPubKey }) => {
    const network = utxoNetwork(chainOfCoin(coin), networkKind);
    expect(scriptOfAddress(network, address)).toBe(scriptPubKey);
    const version = base58Version(address);
    const isOldForm = coin === 'LTC' && version !== null && LEGACY_LITECOIN_P2SH.includes(version);
    if (isOldForm) expect(scriptOfAddress(network, addressOfScript(network, scriptPubKey) ?? '')).toBe(scriptPubKey);
    else expect(addressOfScript(network, scriptPubKey)).toBe(isBech32(address) ? address.toLowerCase() : address);
  });

  const invalid = loadVectors<{ coin: string; invalid: string[] }[]>('address-invalid');
  it.each(invalid)('$coin has none of the invalid addresses on any network', ({ coin, invalid: addresses }) => {
    expect(addresses.length).toBeGreaterThan(10);
    for (const networkKind of NETWORK_KINDS) {
      for (const address of addresses) {
        expect(scriptOfAddress(utxoNetwork(chainOfCoin(coin), networkKind), address)).toBeNull();
      }
    }
  });
});

describe('BIP350 vectors', () => {
  const { bip350 } = loadVectors<{
    bip350: {
      validSegwit: { address: string; scriptPubKey: string }[];
      invalidSegwit: { address: string; reason: string }[];
    };
  }>('bech32');

  it.each(bip350.validSegwit)('$address stands for its script', ({ address, scriptPubKey }) => {
    const network = utxoNetwork('bitcoin', address.toLowerCase().startsWith('bc1') ? 'mainnet' : 'testnet');
    expect(scriptOfAddress(network, address)).toBe(scriptPubKey);
    expect(addressOfScript(network, scriptPubKey)).toBe(address.toLowerCase());
  });

  it.each(bip350.invalidSegwit)('$address is rejected: $reason', ({ address }) => {
    for (const networkKind of NETWORK_KINDS) {
      expect(scriptOfAddress(utxoNetwork('bitcoin', networkKind), address)).toBeNull();
    }
  });
});

describe('addresses and scripts', () => {
  const anyHash = fc.uint8Array({ minLength: 20, maxLength: 20 });
  const anyProgram = fc
    .tuple(fc.integer({ min: 1, max: 16 }), fc.uint8Array({ minLength: 2, maxLength: 40 }))
    .map(([version, program]) => hex.encode(Uint8Array.from([0x50 + version, program.length, ...program])));

  it('convert into each other and back', () => {
    const anyScript = fc.oneof(
      anyHash.map(p2pkhScript),
      anyHash.map(p2shScript),
      anyHash.map(p2wpkhScript),
      anyProgram,
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...UTXO_CHAINS),
        fc.constantFrom(...NETWORK_KINDS),
        anyScript,
        (chain, kind, script) => {
          const network = utxoNetwork(chain, kind);
          const address = addressOfScript(network, script);
          const hasAddress = network.bech32Prefix !== null || script.startsWith('76') || script.startsWith('a9');
          expect(address !== null).toBe(hasAddress);
          if (address !== null) expect(scriptOfAddress(network, address)).toBe(script);
        },
      ),
    );
  });

  it('of a mainnet are addresses of no test network, and vice versa', () => {
    fc.assert(
      fc.property(fc.constantFrom(...UTXO_CHAINS), anyHash, (chain, hash) => {
        const mainnet = utxoNetwork(chain, 'mainnet');
        for (const script of [p2pkhScript(hash), p2shScript(hash), p2wpkhScript(hash)]) {
          for (const kind of ['testnet', 'regtest'] as const) {
            const other = utxoNetwork(chain, kind);
            expect(scriptOfAddress(other, addressOfScript(mainnet, script) ?? 'none')).toBeNull();
            expect(scriptOfAddress(mainnet, addressOfScript(other, script) ?? 'none')).toBeNull();
          }
        }
      }),
    );
  });

  it.each([
    '',
    '6a0b68656c6c6f20776f726c64',
    `4104${'ab'.repeat(64)}ac`,
    '0014abcd',
    `0015${'ab'.repeat(21)}`,
    `5120${'ab'.repeat(31)}`,
    `0020${'ab'.repeat(20)}`,
    '51',
  ])('the script "%s" has no address', (script) =>
    expect(addressOfScript(utxoNetwork('bitcoin', 'mainnet'), script)).toBeNull(),
  );
});

function base58Version(address: string): number | null {
  try {
    return base58check.decode(address)[0] ?? null;
  } catch {
    return null;
  }
}

function isBech32(address: string): boolean {
  return base58Version(address) === null;
}
