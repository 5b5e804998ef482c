import { hex } from '@scure/base';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TerminalError } from '../../src/platform/errors.ts';
import { NETWORK_KINDS } from '../../src/platform/network-kind.ts';
import { addressNetwork, CHAIN_ADDRESSING } from '../../src/wallets/address-formats.ts';
import { addressOfPublicKey, childOf, createDeriver } from '../../src/wallets/keys/derive.ts';
import { level } from '../support/run/level.ts';
import { scriptOfAddress } from './script-of-address.ts';
import { anyChain, anyIndex, anySeed, terminalErrorOf } from './support.ts';

const MASTER = HDKey.fromMasterSeed(hex.decode('000102030405060708090a0b0c0d0e0f'));
const ACCOUNT = MASTER.derive("m/44'/0'/0'").publicExtendedKey;
const WALLET = { chain: 'bitcoin', networkKind: 'mainnet', addressType: 'p2wpkh', key: ACCOUNT } as const;

describe('address derivation', () => {
  it('equals the private side of the wallet, for every chain, network, type and index', () => {
    const anyCase = fc.record({ seed: anySeed, chain: anyChain, index: anyIndex });
    fc.assert(
      fc.property(anyCase, fc.constantFrom(...NETWORK_KINDS), ({ seed, chain, index }, networkKind) => {
        const account = HDKey.fromMasterSeed(seed).derive("m/44'/0'/0'");
        const publicKey = account.deriveChild(0).deriveChild(index).publicKey;
        if (publicKey === null) throw new Error('no public key');
        for (const addressType of CHAIN_ADDRESSING[chain].addressTypes) {
          const wallet = { chain, networkKind, addressType, key: account.publicExtendedKey };
          const derived = createDeriver(wallet).addressAt(index);
          expect(derived).toEqual({
            index,
            derivationPath: `0/${index}`,
            ...addressOfPublicKey({ ...wallet, publicKey }),
          });
        }
      }),
      { numRuns: level.runs(40) },
    );
  });

  it('watches exactly the script of the address', () => {
    fc.assert(
      fc.property(anyChain, fc.constantFrom(...NETWORK_KINDS), anyIndex, (chain, networkKind, index) => {
        const network = addressNetwork(chain, networkKind);
        for (const addressType of CHAIN_ADDRESSING[chain].addressTypes) {
          const derived = createDeriver({ chain, networkKind, addressType, key: ACCOUNT }).addressAt(index);
          if (network.family === 'evm') {
            expect(derived.watchKey).toBe(derived.address.toLowerCase());
            expect(derived.scriptPubKeyHex).toBeNull();
          } else {
            expect(derived.watchKey).toBe(scriptOfAddress(network, derived.address));
            expect(derived.scriptPubKeyHex).toBe(derived.watchKey);
          }
        }
      }),
      { numRuns: level.runs(40) },
    );
  });

  it('returns different addresses for different indices, and always the same for the same index', () => {
    const deriver = createDeriver(WALLET);
    const addresses = Array.from({ length: 200 }, (_, index) => deriver.addressAt(index).address);
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(createDeriver(WALLET).addressAt(150).address).toBe(addresses[150]);
  });

  it.each([-1, 0.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY])('rejects the index %d', (index) => {
    expect(() => createDeriver(WALLET).addressAt(index)).toThrow(RangeError);
  });

  it('throws when BIP32 has no key for an index, instead of using the next index', () => {
    const parent = MASTER.deriveChild(0);
    // Invalid HMAC scalar (2^256 - 1), at index 5 only, through the library's own test hook.
    const invalidHmac = new Uint8Array(64).fill(0xff);
    const derive = parent.deriveChild.bind(parent);
    parent.deriveChild = (index) => (index === 5 ? parent['_deriveChild'](index, invalidHmac) : derive(index));
    expect(parent.deriveChild(5).index).toBe(6);
    expect(childOf(parent, 4).index).toBe(4);
    const error = terminalErrorOf(() => childOf(parent, 5));
    expect(error).toBeInstanceOf(TerminalError);
    expect(error.code).toBe('INVALID_CHILD_INDEX');
    expect(error.message).toContain('6');
  });

  it('rejects a stored wallet whose key was corrupted', () => {
    const key = `${ACCOUNT.slice(0, -1)}${ACCOUNT.endsWith('1') ? '2' : '1'}`;
    expect(terminalErrorOf(() => createDeriver({ ...WALLET, key })).code).toBe('INVALID_EXTENDED_KEY');
  });
});
