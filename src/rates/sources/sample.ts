import type { PricedSymbol } from '../../platform/config/index.ts';
import { POLL_INTERVAL_MS, type Quotes, type RateSource } from '../source.ts';

/** Plausible round prices for test payments. They are not market prices. */
export const SAMPLE_RATES: { readonly [S in PricedSymbol]: string } = {
  BTC: '65000',
  LTC: '80',
  DOGE: '0.16',
  DASH: '30',
  ETH: '3200',
  USDT: '1',
  USDC: '1',
  EURC: '1.08',
  DAI: '1',
  WBTC: '64900',
  SHIB: '0.000018',
  PEPE: '0.000009',
  LINK: '14.5',
  UNI: '8.2',
  AAVE: '95',
  MKR: '1500',
  EUR: '1.08',
  GBP: '1.27',
  PLN: '0.25',
};

const SAMPLE_SOURCE = 'sample';

/** For payments with test keys only: `createRates` never uses it for live payments. */
export function createSampleSource(): RateSource {
  const quotes: Quotes = SAMPLE_RATES;
  return { name: SAMPLE_SOURCE, kind: 'own', pollEveryMs: POLL_INTERVAL_MS, fetch: async () => quotes };
}
