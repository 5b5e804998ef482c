import { readFileSync } from 'node:fs';
import { isAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { ASSETS } from '../../../../machines/index.ts';
import { TOKENS_BY_NETWORK, tokenTable } from '../../../../src/chains/evm/built-in-tokens.ts';

interface PublishedToken {
  readonly symbol: string;
  readonly address: string;
  readonly decimals: number;
}

const published = readVector<{ readonly tokens: readonly PublishedToken[] }>('tokens').tokens;
const eip55 = readVector<{
  readonly valid: { readonly allCaps: string[]; readonly allLower: string[]; readonly normal: string[] };
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

  test('cannot have one contract for two symbols, however it is written', () => {
    const [first] = published;
    for (const DAI of [first?.address ?? '', first?.address.toLowerCase() ?? '']) {
      expect(() => tokenTable('ethereum-mainnet', { DAI })).toThrow(
        expect.objectContaining({
          name: 'TerminalError',
          code: 'TOKEN_TABLE_INVALID',
          message: expect.stringContaining('USDT and DAI have the same contract'),
        }),
      );
    }
  });
});
