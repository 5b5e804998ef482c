import { readFileSync } from 'node:fs';
import { isAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { ASSETS } from '../../../../machines/index.ts';
import { TOKENS_BY_NETWORK, tokenTable } from '../../../../src/chains/evm/tokens.ts';

interface PublishedToken {
  readonly symbol: string;
  readonly address: string;
  readonly decimals: number;
}

const published = readVector<{ readonly tokens: readonly PublishedToken[] }>('tokens').tokens;
const eip55 = readVector<{
  readonly valid: { readonly allCaps: string[]; readonly allLower: string[]; readonly normal: string[] };
  readonly invalidChecksum: readonly string[];
}>('eip55');

function readVector<T>(name: string): T {
  return JSON.parse(readFileSync(`test/vectors/${name}.json`, 'utf8'));
}

describe('the tokens of a network', () => {
  test('on mainnet are the eleven of the published list, with its decimals', () => {
    expect(tokenTable('ethereum-mainnet')).toEqual(
      published.map(({ symbol, address, decimals }) => ({ symbol, contract: address.toLowerCase(), decimals })),
    );
    expect(TOKENS_BY_NETWORK['ethereum-mainnet']).toEqual(
      Object.fromEntries(published.map(({ symbol, address }) => [symbol, address])),
    );
  });

  test('have a valid checksum, on every network', () => {
    const contracts = Object.values(TOKENS_BY_NETWORK).flatMap((known) => Object.values(known));
    expect(contracts.length).toBeGreaterThan(11);
    for (const contract of contracts)
      expect(isAddress(contract) && contract !== contract.toLowerCase(), contract).toBe(true);
  });

  test('on the test network are only those vouched for, with the decimals we quote with', () => {
    const table = tokenTable('ethereum-testnet');
    expect(table.map(({ symbol }) => symbol)).toEqual(['USDT', 'USDC', 'EURC', 'DAI', 'WBTC', 'LINK', 'UNI', 'AAVE']);
    for (const { symbol, decimals } of table) expect(decimals).toBe(ASSETS[symbol].decimals);
  });

  test('are none on a private network until configured', () => {
    expect(tokenTable('ethereum-regtest')).toEqual([]);
    const [contract = ''] = eip55.valid.normal;
    expect(tokenTable('ethereum-regtest', { WBTC: contract })).toEqual([
      { symbol: 'WBTC', contract: contract.toLowerCase(), decimals: 8 },
    ]);
  });

  test('set by the operator replace the built-in ones, and leave the others', () => {
    const [contract = ''] = eip55.valid.allLower;
    const table = tokenTable('ethereum-mainnet', { DAI: contract });
    expect(table.find(({ symbol }) => symbol === 'DAI')?.contract).toBe(contract);
    expect(table).toHaveLength(published.length);
  });

  test.each([...eip55.valid.normal, ...eip55.valid.allCaps, ...eip55.valid.allLower])(
    'may be written %s',
    (contract) => {
      expect(tokenTable('ethereum-regtest', { DAI: contract })[0]?.contract).toBe(contract.toLowerCase());
    },
  );

  test.each(eip55.invalidChecksum)('may not be written %s, with a wrong checksum', (contract) => {
    expect(() => tokenTable('ethereum-regtest', { DAI: contract })).toThrow(
      expect.objectContaining({ code: 'TOKEN_TABLE_INVALID', message: expect.stringContaining('DAI') }),
    );
  });

  test.each<[string, Record<string, string>, string]>([
    ['a symbol that is a coin', { ETH: '0x27b1fdb04752bbc536007a920d24acb045561c26' }, 'ETH is not one of the tokens'],
    ['an unknown symbol', { FOO: '0x27b1fdb04752bbc536007a920d24acb045561c26' }, 'FOO is not one of the tokens'],
    ['a name every object has', { toString: '0x27b1fdb04752bbc536007a920d24acb045561c26' }, 'toString is not one'],
    ['half an address', { DAI: '0x27b1fdb0' }, 'the contract of DAI must be 0x and 40'],
    ['an address without 0x', { DAI: '27b1fdb04752bbc536007a920d24acb045561c26' }, 'the contract of DAI must be 0x'],
    ['nothing', { DAI: '' }, 'the contract of DAI must be 0x'],
    ['the contract of another symbol', { DAI: published[0]?.address.toLowerCase() ?? '' }, 'USDT and DAI both name'],
  ])('cannot be set with %s', (_, overrides, message) => {
    expect(() => tokenTable('ethereum-mainnet', overrides)).toThrow(
      expect.objectContaining({
        name: 'TerminalError',
        code: 'TOKEN_TABLE_INVALID',
        message: expect.stringContaining(message),
      }),
    );
  });
});
