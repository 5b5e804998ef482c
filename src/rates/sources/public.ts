import type { Dispatcher } from 'undici';
import type { Clock } from '../../platform/clock.ts';
import { RATE_SOURCE_NAMES, type RateSourceName } from '../../platform/config/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { createRatesAgent } from '../http/source-client.ts';
import type { RateSource } from '../source.ts';
import { createBinanceSource } from './binance.ts';
import { createCoinbaseSource } from './coinbase.ts';
import { createCoinGeckoSource } from './coingecko.ts';
import { createEcbSource } from './ecb.ts';
import { createKrakenSource } from './kraken.ts';
import { createTetherRate } from './tether-rate.ts';

/** The public sources; none needs an API key. */
export const PUBLIC_SOURCE_NAMES = RATE_SOURCE_NAMES;
export type PublicSourceName = RateSourceName;

/** Scheme and host without a trailing slash. Binance has several: some countries block one. */
export type SourceBaseUrls = { readonly [N in Exclude<PublicSourceName, 'binance'>]: string } & {
  readonly binance: readonly string[];
};

export interface PublicRateSourcesDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** HTTP agent; by default a new one that lives as long as the process. */
  readonly agent?: Dispatcher;
  /** Overrides of the default base URLs. */
  readonly baseUrls?: Partial<SourceBaseUrls>;
  /** The sources to create; all by default. */
  readonly names?: readonly PublicSourceName[];
}

/**
 * Public rate sources for `createRates`. They are independent of each other, except that Binance
 * needs two others for the USD price of USDT. Throws a `TerminalError` RATE_SOURCES_INVALID when
 * Binance is selected without them.
 */
export function publicRateSources(deps: PublicRateSourcesDeps): readonly RateSource[] {
  const { clock, log, agent = createRatesAgent(), names = PUBLIC_SOURCE_NAMES } = deps;
  const urls = { ...BASE_URLS, ...deps.baseUrls };
  const tether = createTetherRate({ clock });
  const shared = { agent, clock };
  const create: { readonly [N in PublicSourceName]: () => RateSource } = {
    kraken: () => tether.witness(createKrakenSource(shared, urls.kraken)),
    coinbase: () => tether.witness(createCoinbaseSource(shared, urls.coinbase)),
    binance: () => createBinanceSource({ ...shared, tether }, urls.binance),
    coingecko: () => tether.witness(createCoinGeckoSource(shared, urls.coingecko)),
    ecb: () => createEcbSource({ ...shared, log }, urls.ecb),
  };
  const chosen = PUBLIC_SOURCE_NAMES.filter((name) => names.includes(name));
  if (chosen.includes('binance') && chosen.filter((name) => TETHER_WITNESSES.has(name)).length < 2) {
    const witnesses = [...TETHER_WITNESSES].join(', ');
    throw new TerminalError(
      'RATE_SOURCES_INVALID',
      `binance quotes in USDT and needs two other sources to convert it to USD: add two of ${witnesses}, or remove binance`,
    );
  }
  return chosen.map((name) => create[name]());
}

// Helpers

const TETHER_WITNESSES: ReadonlySet<PublicSourceName> = new Set(['kraken', 'coinbase', 'coingecko']);

const BASE_URLS: SourceBaseUrls = {
  kraken: 'https://api.kraken.com',
  coinbase: 'https://api.coinbase.com',
  // The first is meant for public market data and has no country restrictions.
  binance: ['https://data-api.binance.vision', 'https://api.binance.com'],
  coingecko: 'https://api.coingecko.com',
  ecb: 'https://www.ecb.europa.eu',
};
