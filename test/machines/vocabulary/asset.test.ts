import { describe, expect, it } from 'vitest';
import { ASSETS, CHAINS, CRYPTO_SYMBOLS, type CryptoSymbol, isCryptoSymbol } from '../../../machines/index.ts';

/** Symbol, chain, decimals of the chain, decimals of a quote, confirmations by size. */
const FACTS: readonly [CryptoSymbol, string, number, number, readonly number[]][] = [
  ['BTC', 'bitcoin', 8, 8, [1, 2, 6]],
  ['LTC', 'litecoin', 8, 8, [3, 6, 12]],
  ['DOGE', 'dogecoin', 8, 4, [6, 20, 40]],
  ['DASH', 'dash', 8, 8, [2, 6, 10]],
  ['ETH', 'ethereum', 18, 8, [12, 32, 64]],
  ['USDT', 'ethereum', 6, 6, [12, 32, 64]],
  ['USDC', 'ethereum', 6, 6, [12, 32, 64]],
  ['EURC', 'ethereum', 6, 6, [12, 32, 64]],
  ['DAI', 'ethereum', 18, 6, [12, 32, 64]],
  ['WBTC', 'ethereum', 8, 8, [12, 32, 64]],
  ['SHIB', 'ethereum', 18, 2, [12, 32, 64]],
  ['PEPE', 'ethereum', 18, 2, [12, 32, 64]],
  ['LINK', 'ethereum', 18, 6, [12, 32, 64]],
  ['UNI', 'ethereum', 18, 6, [12, 32, 64]],
  ['AAVE', 'ethereum', 18, 6, [12, 32, 64]],
  ['MKR', 'ethereum', 18, 6, [12, 32, 64]],
];

describe('the table of assets', () => {
  it('has exactly the sixteen symbols of the API', () => {
    expect(FACTS.map(([symbol]) => symbol)).toEqual([...CRYPTO_SYMBOLS]);
    expect(Object.keys(ASSETS)).toEqual([...CRYPTO_SYMBOLS]);
  });

  it.each(FACTS)('%s lives on %s with %s decimals, is quoted to %s places and needs %s confirmations', (...fact) => {
    const [symbol, chain, decimals, quoteDecimals, confirmations] = fact;
    expect(ASSETS[symbol]).toMatchObject({ symbol, chain, decimals, quoteDecimals, confirmations });
  });

  it('has one coin for each chain, and tokens on Ethereum only', () => {
    const assets = Object.values(ASSETS);
    expect(assets.filter((asset) => asset.type === 'coin').map((asset) => asset.chain)).toEqual([...CHAINS]);
    const tokenChains = assets.filter((asset) => asset.type === 'token').map((asset) => asset.chain);
    expect([...new Set(tokenChains)]).toEqual(['ethereum']);
  });

  it('marks the four pegged tokens as stable', () => {
    const stable = Object.values(ASSETS).filter((asset) => asset.stable);
    expect(stable.map((asset) => asset.symbol)).toEqual(['USDT', 'USDC', 'EURC', 'DAI']);
  });

  it('quotes no finer than the chain can pay, and requires more confirmations for larger amounts', () => {
    for (const { quoteDecimals, decimals, confirmations } of Object.values(ASSETS)) {
      expect(quoteDecimals).toBeLessThanOrEqual(decimals);
      expect([...confirmations]).toEqual([...confirmations].sort((a, b) => a - b));
    }
  });

  it('matches its symbols exactly as written', () => {
    expect(CRYPTO_SYMBOLS.every(isCryptoSymbol)).toBe(true);
    for (const wrong of ['btc', 'BTC ', 'XRP', '', 'toString', '__proto__', null, 1]) {
      expect(isCryptoSymbol(wrong)).toBe(false);
    }
  });
});
