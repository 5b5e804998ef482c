import { describe, expect, it } from 'vitest';
import { ASSETS, CHAINS, CRYPTO_SYMBOLS, type CryptoSymbol, isCryptoSymbol } from '../../../machines/index.ts';

/** Symbol, chain, decimals of the chain, decimals of a quote. */
const FACTS: readonly [CryptoSymbol, string, number, number][] = [
  ['BTC', 'bitcoin', 8, 8],
  ['LTC', 'litecoin', 8, 8],
  ['DOGE', 'dogecoin', 8, 4],
  ['DASH', 'dash', 8, 8],
  ['ETH', 'ethereum', 18, 8],
  ['USDT', 'ethereum', 6, 6],
  ['USDC', 'ethereum', 6, 6],
  ['EURC', 'ethereum', 6, 6],
  ['DAI', 'ethereum', 18, 6],
  ['WBTC', 'ethereum', 8, 8],
  ['SHIB', 'ethereum', 18, 2],
  ['PEPE', 'ethereum', 18, 2],
  ['LINK', 'ethereum', 18, 6],
  ['UNI', 'ethereum', 18, 6],
  ['AAVE', 'ethereum', 18, 6],
  ['MKR', 'ethereum', 18, 6],
];

describe('the table of assets', () => {
  it('has exactly the sixteen symbols of the API', () => {
    expect(FACTS.map(([symbol]) => symbol)).toEqual([...CRYPTO_SYMBOLS]);
    expect(Object.keys(ASSETS)).toEqual([...CRYPTO_SYMBOLS]);
  });

  it.each(FACTS)('%s lives on %s with %s decimals and is quoted to %s places', (...fact) => {
    const [symbol, chain, decimals, quoteDecimals] = fact;
    expect(ASSETS[symbol]).toMatchObject({ symbol, chain, decimals, quoteDecimals });
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

  it('quotes no finer than the chain can pay', () => {
    for (const { quoteDecimals, decimals } of Object.values(ASSETS)) {
      expect(quoteDecimals).toBeLessThanOrEqual(decimals);
    }
  });

  it('matches its symbols exactly as written', () => {
    expect(CRYPTO_SYMBOLS.every(isCryptoSymbol)).toBe(true);
    for (const wrong of ['btc', 'BTC ', 'XRP', '', 'toString', '__proto__', null, 1]) {
      expect(isCryptoSymbol(wrong)).toBe(false);
    }
  });
});
