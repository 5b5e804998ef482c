import { describe, expect, it } from 'vitest';
import { ASSETS, CRYPTO_SYMBOLS } from '../../machines/index.ts';
import { liveNetworksOf } from '../../src/commands/live-networks-of.ts';
import { loadConfig } from '../../src/config/index.ts';

const NODES = Object.fromEntries(
  ['BTC', 'LTC', 'DOGE', 'DASH', 'ETH'].map((coin) => [`${coin}_RPC_URL`, 'http://127.0.0.1:1']),
);

function networksFor(networkKind: string, more: Readonly<Record<string, string>> = {}) {
  const kinds = Object.fromEntries(Object.keys(NODES).map((name) => [name.replace('RPC_URL', 'NETWORK'), networkKind]));
  return liveNetworksOf(loadConfig({ ...NODES, ...kinds, ...more }));
}

describe('the live networks of a deployment', () => {
  it('take all 16 coins and tokens on the main networks, each on the network of its chain', () => {
    const networks = networksFor('mainnet');
    for (const crypto of CRYPTO_SYMBOLS) {
      expect(networks.networkOf(crypto)).toBe(`${ASSETS[crypto].chain}-mainnet`);
      expect(networks.kindOf(ASSETS[crypto].chain)).toBe('mainnet');
    }
  });

  it('take no token on a private network until ETH_TOKENS names its contract, and then that one alone', () => {
    const bare = networksFor('regtest');
    const named = networksFor('regtest', { ETH_TOKENS: `{"DAI":"0x${'1'.repeat(40)}"}` });
    expect(bare.networkOf('ETH')).toBe('ethereum-regtest');
    expect(named.networkOf('DAI')).toBe('ethereum-regtest');
    for (const crypto of CRYPTO_SYMBOLS.filter((symbol) => ASSETS[symbol].type === 'token')) {
      expect(() => bare.networkOf(crypto)).toThrow(noContract(crypto));
      if (crypto !== 'DAI') expect(() => named.networkOf(crypto)).toThrow(noContract(crypto));
    }
  });

  it('take nothing that no node is connected for, and say whose node is missing', () => {
    const networks = liveNetworksOf(loadConfig({}));
    for (const crypto of CRYPTO_SYMBOLS) {
      expect(() => networks.networkOf(crypto)).toThrow(
        expect.objectContaining({
          code: 'WALLET_NOT_CONFIGURED',
          message: expect.stringContaining(`has not connected a node of ${ASSETS[crypto].chain}`),
        }),
      );
      expect(networks.kindOf(ASSETS[crypto].chain)).toBeNull();
    }
  });

  it('refuse a contract of the operator that is another token in the built-in table', () => {
    const usdt = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
    expect(() => networksFor('mainnet', { ETH_TOKENS: `{"USDC":"${usdt}"}` })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^ETH_TOKENS: .*USDT and USDC/) }),
    );
  });
});

// Helpers

function noContract(crypto: string) {
  return expect.objectContaining({
    code: 'WALLET_NOT_CONFIGURED',
    message: expect.stringMatching(new RegExp(`no contract of ${crypto} on ethereum-regtest .*ETH_TOKENS`)),
  });
}
