import { describe, expect, it } from 'vitest';
import { ASSETS, CRYPTO_SYMBOLS } from '../../machines/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { paymentNetworksOf } from '../../src/service/payment-networks-of.ts';

const NODES = Object.fromEntries(
  ['BTC', 'LTC', 'DOGE', 'DASH', 'ETH'].map((coin) => [`${coin}_RPC_URL`, 'http://127.0.0.1:1']),
);

function networksFor(networkKind: string, more: Readonly<Record<string, string>> = {}) {
  const kinds = Object.fromEntries(Object.keys(NODES).map((name) => [name.replace('RPC_URL', 'NETWORK'), networkKind]));
  return paymentNetworksOf(loadConfig({ DATABASE_URL: 'postgres://127.0.0.1:1/none', ...NODES, ...kinds, ...more }));
}

describe('the networks of a deployment', () => {
  it('include all 16 coins and tokens on the main networks, each on the network of its chain', () => {
    const networks = networksFor('mainnet');
    for (const crypto of CRYPTO_SYMBOLS) {
      expect(networks.networkOf('live', crypto)).toBe(`${ASSETS[crypto].chain}-mainnet`);
      expect(networks.kindOf('live', ASSETS[crypto].chain)).toBe('mainnet');
    }
  });

  it('include no token on a private network until ETH_TOKENS sets its contract, and then only that one', () => {
    const bare = networksFor('regtest');
    const named = networksFor('regtest', { ETH_TOKENS: `{"DAI":"0x${'1'.repeat(40)}"}` });
    expect(bare.networkOf('live', 'ETH')).toBe('ethereum-regtest');
    expect(named.networkOf('live', 'DAI')).toBe('ethereum-regtest');
    for (const crypto of CRYPTO_SYMBOLS.filter((symbol) => ASSETS[symbol].type === 'token')) {
      expect(() => bare.networkOf('live', crypto)).toThrow(noContract(crypto));
      if (crypto !== 'DAI') expect(() => named.networkOf('live', crypto)).toThrow(noContract(crypto));
    }
  });

  it("know the contract of a token with its checksum, the operator's before the built-in one", () => {
    const set = `0x${'1'.repeat(40)}`;
    const networks = networksFor('mainnet', { ETH_TOKENS: `{"DAI":"${set}"}` });
    expect(networks.contractOf('ethereum-mainnet', 'USDT')).toBe('0xdAC17F958D2ee523a2206206994597C13D831ec7');
    expect(networks.contractOf('ethereum-mainnet', 'DAI')).toBe(set);
    expect(networks.contractOf('ethereum-mainnet', 'ETH')).toBeNull();
    expect(networks.contractOf('ethereum-testnet', 'USDT')).toBeNull();
    expect(networks.contractOf('simulated-ethereum', 'USDT')).toBeNull();
  });

  it('include nothing without a connected node, and name the missing node', () => {
    const networks = paymentNetworksOf(loadConfig({}));
    for (const crypto of CRYPTO_SYMBOLS) {
      expect(() => networks.networkOf('live', crypto)).toThrow(
        expect.objectContaining({
          code: 'WALLET_NOT_CONFIGURED',
          message: expect.stringContaining(`has not connected a node of ${ASSETS[crypto].chain}`),
        }),
      );
      expect(networks.kindOf('live', ASSETS[crypto].chain)).toBeNull();
    }
  });

  it('are those of the simulation for test keys, which supports every coin and token without a node', () => {
    const networks = paymentNetworksOf(loadConfig({}));
    expect([networks.isSimulated('test'), networks.isSimulated('live')]).toEqual([true, false]);
    for (const crypto of CRYPTO_SYMBOLS) {
      expect(networks.networkOf('test', crypto)).toBe(`simulated-${ASSETS[crypto].chain}`);
    }
  });

  it('are those of the test nodes for test keys with TEST_MODE=onchain, and never those of live keys', () => {
    const networks = networksFor('mainnet', {
      TEST_MODE: 'onchain',
      TEST_LTC_NETWORK: 'regtest',
      TEST_LTC_RPC_URL: 'http://127.0.0.1:2',
      TEST_ETH_NETWORK: 'testnet',
      TEST_ETH_RPC_URL: 'http://127.0.0.1:3',
    });
    expect(networks.isSimulated('test')).toBe(false);
    expect(networks.networkOf('test', 'LTC')).toBe('litecoin-regtest');
    expect(networks.networkOf('test', 'ETH')).toBe('ethereum-testnet');
    expect(networks.kindOf('test', 'bitcoin')).toBeNull();
    expect(() => networks.networkOf('test', 'BTC')).toThrow(
      'Test payments in BTC are not available: the operator of this service has not connected a test node of bitcoin',
    );
    expect(() => networks.networkOf('test', 'SHIB')).toThrow(
      /no contract of SHIB on ethereum-testnet .*TEST_ETH_TOKENS/,
    );
    for (const crypto of CRYPTO_SYMBOLS) {
      expect(networks.networkOf('live', crypto)).toBe(`${ASSETS[crypto].chain}-mainnet`);
    }
  });

  it("reject an operator's contract that is another token in the built-in table", () => {
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
