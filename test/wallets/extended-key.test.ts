import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chain } from '../../machines/index.ts';
import { CHAINS } from '../../machines/index.ts';
import type { NetworkKind } from '../../src/platform/network-kind.ts';
import { NETWORK_KINDS } from '../../src/platform/network-kind.ts';
import { CHAIN_ADDRESSING } from '../../src/wallets/address-formats.ts';
import { parseExtendedKey } from '../../src/wallets/keys/extended-key.ts';
import { KEY_VERSIONS } from '../../src/wallets/keys/key-versions.ts';
import { textOfAnyCharacters } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import {
  anyChain,
  anySeed,
  base58check,
  expectNothingQuoted,
  loadVectors,
  terminalErrorOf,
  versionRow,
  withVersion,
} from './support.ts';

const MASTER = HDKey.fromMasterSeed(new Uint8Array(32).fill(7));
const XPUB = MASTER.derive("m/84'/0'/0'").publicExtendedKey;

function as(prefix: string): string {
  return withVersion(XPUB, versionRow(prefix).viewVersion);
}

function rejection(key: string, chain: Chain = 'bitcoin', networkKind: NetworkKind = 'mainnet') {
  const error = terminalErrorOf(() => parseExtendedKey({ chain, networkKind, key }));
  expectNothingQuoted(error, key);
  return error;
}

describe('versions of extended keys', () => {
  it.each(KEY_VERSIONS)('$prefix and $privatePrefix are their version bytes in base58', (row) => {
    for (const fill of [0x00, 0xff]) {
      const payload = new Uint8Array(78).fill(fill);
      new DataView(payload.buffer).setUint32(0, row.viewVersion);
      expect(base58check.encode(payload).slice(0, 4)).toBe(row.prefix);
      new DataView(payload.buffer).setUint32(0, row.privateVersion);
      expect(base58check.encode(payload).slice(0, 4)).toBe(row.privatePrefix);
    }
  });

  it("mainnet accepts each chain's own mainnet forms and nothing else; test networks accept test forms too", () => {
    const mainnet: Record<Chain, string[]> = {
      bitcoin: ['xpub', 'ypub', 'zpub'],
      litecoin: ['xpub', 'ypub', 'zpub', 'Ltub', 'Mtub'],
      dogecoin: ['xpub', 'dgub'],
      dash: ['xpub', 'drkp'],
      ethereum: ['xpub'],
    };
    const test: Record<Chain, string[]> = {
      bitcoin: ['tpub', 'upub', 'vpub'],
      litecoin: ['tpub', 'upub', 'vpub', 'ttub'],
      dogecoin: ['tpub', 'tgub'],
      dash: ['tpub'],
      ethereum: ['tpub'],
    };
    for (const chain of CHAINS) {
      for (const networkKind of NETWORK_KINDS) {
        const accepted = [...mainnet[chain], ...(networkKind === 'mainnet' ? [] : test[chain])];
        for (const { prefix } of KEY_VERSIONS) {
          const spec = { chain, networkKind, key: as(prefix) };
          if (accepted.includes(prefix)) expect(parseExtendedKey(spec)).toMatchObject({ ...spec, prefix });
          else expect(rejection(spec.key, chain, networkKind).code).toBe('INVALID_EXTENDED_KEY');
        }
      }
    }
  });

  it.each([
    ['bitcoin', 'xpub', 'p2pkh'],
    ['bitcoin', 'ypub', 'p2sh-p2wpkh'],
    ['bitcoin', 'zpub', 'p2wpkh'],
    ['litecoin', 'Ltub', 'p2pkh'],
    ['litecoin', 'Mtub', 'p2sh-p2wpkh'],
    ['litecoin', 'zpub', 'p2wpkh'],
    ['dogecoin', 'dgub', 'p2pkh'],
    ['dash', 'drkp', 'p2pkh'],
    ['ethereum', 'xpub', 'evm'],
  ] as const)('for %s a %s implies %s', (chain, prefix, addressType) => {
    expect(parseExtendedKey({ chain, networkKind: 'mainnet', key: as(prefix) }).addressType).toBe(addressType);
  });

  it('gives every form of one key the same id, and other keys another', () => {
    const ids = ['xpub', 'ypub', 'zpub', 'Ltub', 'Mtub'].map(
      (prefix) => parseExtendedKey({ chain: 'litecoin', networkKind: 'mainnet', key: as(prefix) }).keyId,
    );
    expect(new Set(ids).size).toBe(1);
    const other = MASTER.derive("m/84'/0'/1'").publicExtendedKey;
    expect(ids).not.toContain(parseExtendedKey({ chain: 'bitcoin', networkKind: 'mainnet', key: other }).keyId);
  });
});

describe('the choice of address type', () => {
  const spec = { chain: 'bitcoin', networkKind: 'mainnet' } as const;

  it('overrides the type implied by the key, with a warning when they differ', () => {
    const quiet = parseExtendedKey({ ...spec, key: as('xpub'), addressType: 'p2wpkh' });
    expect(quiet).toMatchObject({ addressType: 'p2wpkh', warnings: [] });
    const reported = parseExtendedKey({ ...spec, key: as('zpub'), addressType: 'p2pkh' });
    expect(reported).toMatchObject({ addressType: 'p2pkh', warnings: [{ code: 'ADDRESS_TYPE_OVERRIDDEN' }] });
  });

  it('is required when the form of the key does not determine it', () => {
    const codes = (chain: Chain, prefix: string) =>
      parseExtendedKey({ chain, networkKind: 'mainnet', key: as(prefix) }).warnings.map((warning) => warning.code);
    expect(codes('bitcoin', 'xpub')).toEqual(['ADDRESS_TYPE_ASSUMED']);
    expect(codes('litecoin', 'Ltub')).toEqual(['ADDRESS_TYPE_ASSUMED']);
    expect(codes('bitcoin', 'zpub')).toEqual([]);
    expect(codes('dogecoin', 'xpub')).toEqual([]);
    expect(codes('ethereum', 'xpub')).toEqual([]);
  });

  it('is rejected where the chain has no such addresses', () => {
    for (const chain of CHAINS) {
      for (const addressType of ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'evm'] as const) {
        const parse = () => parseExtendedKey({ chain, networkKind: 'mainnet', key: XPUB, addressType });
        if (CHAIN_ADDRESSING[chain].addressTypes.includes(addressType)) expect(parse().addressType).toBe(addressType);
        else expect(terminalErrorOf(parse).code).toBe('INVALID_EXTENDED_KEY');
      }
    }
  });
});

describe('the depth of a key', () => {
  it.each([
    ['m', 0],
    ["m/84'", 1],
    ["m/84'/0'/0'/0", 4],
  ])('%s is accepted, with a warning that it is not an account', (path, depth) => {
    const key = withVersion(MASTER.derive(path).publicExtendedKey, versionRow('zpub').viewVersion);
    const parsed = parseExtendedKey({ chain: 'bitcoin', networkKind: 'mainnet', key });
    expect(parsed).toMatchObject({ depth, warnings: [{ code: 'UNUSUAL_DEPTH' }] });
  });

  it('must leave room for the two steps to an address', () => {
    const payload = base58check.decode(XPUB);
    payload[4] = 253;
    expect(parseExtendedKey({ chain: 'dash', networkKind: 'mainnet', key: base58check.encode(payload) }).depth).toBe(
      253,
    );
    payload[4] = 254;
    expect(rejection(base58check.encode(payload)).code).toBe('INVALID_EXTENDED_KEY');
  });
});

describe('anything but an extended public key', () => {
  const invalid = loadVectors<{ invalid: { key: string; reason: string }[] }>('bip32').invalid;

  it.each(invalid)('is rejected by BIP32: $reason', ({ key }) => {
    const isPrivate = key.startsWith('xprv');
    expect(rejection(key).code).toMatch(
      isPrivate ? /^PRIVATE_KEY_REFUSED$/ : /^(INVALID_EXTENDED_KEY|PRIVATE_KEY_REFUSED)$/,
    );
  });

  it.each([
    ['a multisig key', as('Zpub'), /multi-signature/],
    ['a key of another chain', as('dgub'), /Dogecoin/],
    ['a test network key', as('vpub'), /test network/],
    ['an unknown version', withVersion(XPUB, 0x01020304), /Unknown type/],
    ['a base58 address', '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', /single address/],
    ['a segwit address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', /single address/],
    ['an Ethereum address', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94', /single address/],
    ['a single public key', `02${'ab'.repeat(32)}`, /single public key/],
    ['a missing character', XPUB.slice(0, -1), /checksum/],
    ['a space in front', ` ${XPUB}`, /spaces/],
    ['a line break behind', `${XPUB}\n`, /spaces/],
    ['two keys', `${XPUB} ${XPUB}`, /spaces/],
    ['a descriptor', `wpkh([d34db33f/84h/0h/0h]${XPUB}/0/*)`, /descriptor/],
    ['nothing', '', /empty/],
    ['blanks', ' \n', /empty/],
    ['a look-alike letter', XPUB.replace('p', 'р'), /characters/],
    ['an invisible character', `${XPUB}\u200b`, /characters/],
    ['base58 of another length', base58check.encode(new Uint8Array(40).fill(9)), /length/],
    ['a very long text', 'x'.repeat(5_000), /too long/],
  ])('%s is rejected with a remedy', (_what, key, message) => {
    const error = rejection(key);
    expect(error.code).toBe('INVALID_EXTENDED_KEY');
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/Paste|accepts:|Copy/);
  });

  it('is never made valid by changing characters', () => {
    const anyChange = fc.record({ seed: anySeed, chain: anyChain, at: fc.nat(), character: fc.nat(57) });
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    fc.assert(
      fc.property(anyChange, fc.constantFrom('replace', 'insert', 'delete'), ({ seed, chain, at, character }, how) => {
        const key = HDKey.fromMasterSeed(seed).derive("m/44'/0'/0'").publicExtendedKey;
        const position = at % key.length;
        const added = how === 'delete' ? '' : alphabet.charAt(character);
        const changed = key.slice(0, position) + added + key.slice(how === 'insert' ? position : position + 1);
        fc.pre(changed !== key);
        expect(rejection(changed, chain, 'regtest').code).toMatch(/^(INVALID_EXTENDED_KEY|PRIVATE_KEY_REFUSED)$/);
      }),
      { numRuns: level.runs(300) },
    );
  });

  it('is rejected without being quoted, whatever it is', () => {
    const anyText = fc.oneof(
      textOfAnyCharacters({ maxLength: 200 }),
      fc.uint8Array({ maxLength: 90 }).map((bytes) => base58check.encode(bytes)),
    );
    fc.assert(
      fc.property(anyText, anyChain, fc.constantFrom(...NETWORK_KINDS), (text, chain, networkKind) => {
        expect(rejection(text, chain, networkKind).code).toMatch(/^(INVALID_EXTENDED_KEY|PRIVATE_KEY_REFUSED)$/);
      }),
      { numRuns: level.runs(500) },
    );
  });
});
