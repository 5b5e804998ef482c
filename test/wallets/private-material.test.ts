import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHAINS } from '../../machines/index.ts';
import { NETWORK_KINDS } from '../../src/platform/network-kind.ts';
import { parseExtendedKey } from '../../src/wallets/keys/extended-key.ts';
import { KEY_VERSIONS } from '../../src/wallets/keys/key-versions.ts';
import { describePrivateMaterial } from '../../src/wallets/keys/private-material.ts';
import { level } from '../support/run/level.ts';
import { anySeed, base58check, expectNothingQuoted, loadVectors, terminalErrorOf, withVersion } from './support.ts';

const XPRV = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/84'/0'/0'").privateExtendedKey;
const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
/** WIF version bytes of Bitcoin, Litecoin, Dogecoin, Dash, their test networks, and Dogecoin's. */
const WIF_VERSIONS = [0x80, 0xb0, 0x9e, 0xcc, 0xef, 0xf1];

function expectRejected(secret: string): void {
  for (const chain of CHAINS) {
    for (const networkKind of NETWORK_KINDS) {
      const error = terminalErrorOf(() => parseExtendedKey({ chain, networkKind, key: secret }));
      expect(error.code).toBe('PRIVATE_KEY_REFUSED');
      expect(error.message).toMatch(/extended PUBLIC key instead/);
      expectNothingQuoted(error, secret);
    }
  }
}

function wif(version: number, secret: Uint8Array, compressed: boolean): string {
  return base58check.encode(Uint8Array.from([version, ...secret, ...(compressed ? [1] : [])]));
}

describe('private keys', () => {
  it.each(KEY_VERSIONS)('$privatePrefix is rejected on every chain and network, also with a typing error', (row) => {
    const key = withVersion(XPRV, row.privateVersion);
    expect(key.startsWith(row.privatePrefix)).toBe(true);
    expectRejected(key);
    expectRejected(`${key.slice(0, 60)}${key.slice(61)}`);
  });

  it('are recognised by their content even under the version of a public key', () => {
    for (const row of KEY_VERSIONS) expectRejected(withVersion(XPRV, row.viewVersion));
  });

  it('are rejected under unregistered version bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0x01000000, max: 0x7fffffff }), (version) => {
        expect(describePrivateMaterial(withVersion(XPRV, version))).toBe('an extended private key');
      }),
      { numRuns: level.runs(100) },
    );
  });

  it.each(
    loadVectors<{ vectors: { chains: { path: string; prv: string }[] }[] }>('bip32').vectors.flatMap((v) => v.chains),
  )('the published private key at $path is rejected', ({ prv }) => expectRejected(prv));

  it('are rejected as WIF of every coin, compressed or not, also with a typing error', () => {
    fc.assert(
      fc.property(anySeed, fc.constantFrom(...WIF_VERSIONS), fc.boolean(), (secret, version, compressed) => {
        const key = wif(version, secret, compressed);
        expect(describePrivateMaterial(key)).toBe('a private key (WIF)');
        const typo = `${key.slice(0, -1)}${key.endsWith('z') ? 'y' : 'z'}`;
        expect(describePrivateMaterial(typo)).toBe('a private key (WIF)');
      }),
      { numRuns: level.runs(100) },
    );
    expectRejected(wif(0x80, new Uint8Array(32).fill(3), true));
  });

  it.each([
    ['a raw private key', 'e8f32e723decf4051aefac8e2c93c9c5b214313817cdb01a1494b917c8436b35'],
    ['a raw private key with 0x', '0xE8F32E723DECF4051AEFAC8E2C93C9C5B214313817CDB01A1494B917C8436B35'],
    ['a seed', 'ab'.repeat(64)],
    ['a BIP38 encrypted key', base58check.encode(Uint8Array.from([0x01, 0x42, ...new Uint8Array(37).fill(5)]))],
    ['a 12 word phrase', PHRASE],
    ['a 24 word phrase', `${PHRASE} ${PHRASE}`],
    ['a phrase in capitals over lines', PHRASE.toUpperCase().replaceAll(' ', '\r\n')],
    [
      'a numbered phrase',
      PHRASE.split(' ')
        .map((word, at) => `${at + 1}. ${word}`)
        .join('\n'),
    ],
    [
      'a phrase between bare numbers',
      PHRASE.split(' ')
        .map((word, at) => `${at + 1} ${word}`)
        .join('\n'),
    ],
    [
      'a tightly numbered phrase',
      PHRASE.split(' ')
        .map((word, at) => `${at + 1}.${word}`)
        .join(' '),
    ],
    ['a phrase with commas', PHRASE.replaceAll(' ', ', ')],
    ['a phrase with a word missing', PHRASE.split(' ').slice(1).join(' ')],
    ['a phrase with a misspelt word', PHRASE.replace('sausage', 'sossage')],
    ['a French phrase', 'abaisser académie élève épisode ébène zèbre chéquier créature douceur léopard métier pépite'],
    [
      'a Japanese phrase',
      'あいこくしん　あいさつ　あいだ　あおぞら　あかちゃん　あきる　あけがた　あける　あこがれる　あさい　あさひ　あしあと',
    ],
    ['a private key in a descriptor', `wpkh([d34db33f/84h/0h/0h]${XPRV}/0/*)`],
    ['a private key in a sentence', `here is my key: ${XPRV}.`],
    ['a private key broken over lines', `${XPRV.slice(0, 30)}\n${XPRV.slice(30, 60)}\n${XPRV.slice(60)}`],
    ['a private key between blanks', `  ${XPRV}\n`],
  ])('%s is rejected', (_what, secret) => expectRejected(secret));

  it('are never suspected in a valid public key', () => {
    fc.assert(
      fc.property(anySeed, fc.constantFrom(...KEY_VERSIONS), (seed, row) => {
        const key = HDKey.fromMasterSeed(seed).publicExtendedKey;
        expect(describePrivateMaterial(withVersion(key, row.viewVersion))).toBeNull();
      }),
      { numRuns: level.runs(50) },
    );
  });

  it('are not suspected in addresses', () => {
    const { vectors } = loadVectors<{ vectors: { address: string }[] }>('address-script');
    for (const { address } of vectors) expect(describePrivateMaterial(address)).toBeNull();
  });
});
