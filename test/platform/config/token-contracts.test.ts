import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { getAddress } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import { ASSETS, CRYPTO_SYMBOLS } from '../../../machines/index.ts';
import { parseTokenContracts, TOKEN_SYMBOLS } from '../../../src/platform/config/parse-token-contracts.ts';
import { assertProperty } from '../../support/run/fast-check.ts';

interface Eip55Vectors {
  readonly valid: { readonly allCaps: string[]; readonly allLower: string[]; readonly normal: string[] };
  readonly invalidChecksum: string[];
}

const { valid, invalidChecksum } = JSON.parse(
  readFileSync(new URL('../../vectors/eip55.json', import.meta.url), 'utf8'),
) as Eip55Vectors;

describe('a token contract', () => {
  it('is accepted as written in every valid EIP-55 example', () => {
    for (const contract of Object.values(valid).flat()) {
      expect(parseTokenContracts(JSON.stringify({ DAI: contract }))).toEqual({ ok: true, value: { DAI: contract } });
    }
  });

  it('is rejected with an invalid EIP-55 checksum', () => {
    for (const contract of invalidChecksum) {
      expect(parseTokenContracts(JSON.stringify({ DAI: contract }))).toEqual({
        ok: false,
        problem: 'has a contract for DAI with a wrong checksum (EIP-55): copy the address again',
      });
    }
  });

  it('is rejected when one letter has the wrong case', () => {
    const contract = fc.stringMatching(/^0x[0-9a-f]{40}$/).map((hex) => getAddress(hex));
    assertProperty(
      fc.property(contract, fc.nat(39), (good, index) => {
        const at = index + 2;
        const letter = good.charAt(at);
        const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const wrong = good.slice(0, at) + flipped + good.slice(at + 1);
        fc.pre(flipped !== letter && wrong !== wrong.toLowerCase());
        expect(parseTokenContracts(JSON.stringify({ LINK: good })).ok).toBe(true);
        expect(parseTokenContracts(JSON.stringify({ LINK: wrong })).ok).toBe(false);
      }),
    );
  });
});

describe('a table of token contracts', () => {
  it('may list every token and nothing that is a coin', () => {
    expect(TOKEN_SYMBOLS).toEqual(CRYPTO_SYMBOLS.filter((symbol) => ASSETS[symbol].chain === 'ethereum').slice(1));
    const contracts = Object.fromEntries(
      TOKEN_SYMBOLS.map((symbol, index) => [symbol, `0x${String(index + 1).padStart(40, '0')}`]),
    );
    expect(parseTokenContracts(JSON.stringify(contracts))).toEqual({ ok: true, value: contracts });
    for (const symbol of ['BTC', 'LTC', 'DOGE', 'DASH', 'ETH', 'toString']) {
      expect(parseTokenContracts(JSON.stringify({ [symbol]: `0x${'1'.repeat(40)}` }))).toMatchObject({ ok: false });
    }
  });

  it.each(['0x27b1fdb0', '27b1fdb04752bbc536007a920d24acb045561c26', '', `0x${'0'.repeat(40)}`])(
    'cannot have the contract %o',
    (contract) => {
      expect(parseTokenContracts(JSON.stringify({ DAI: contract }))).toEqual({
        ok: false,
        problem: 'has no contract address for DAI: use 0x and 40 hex digits',
      });
    },
  );

  it('reports all invalid entries together', () => {
    const parsed = parseTokenContracts('{"XYZ": "0x1", "DAI": null, "UNI": "0x12"}');
    expect(parsed.ok ? '' : parsed.problem).toMatch(/"XYZ".*, and has no contract address for DAI.*, and .* for UNI/);
  });
});
