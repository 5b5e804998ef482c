import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CRYPTO_SYMBOLS } from '../../machines/index.ts';
import { PRICED_SYMBOLS } from '../../src/platform/config/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import {
  createRates,
  createRateTable,
  PUBLIC_SOURCE_NAMES,
  type PublicSourceName,
  publicRateSources,
  requireRates,
  type WritableRateTable,
} from '../../src/rates/index.ts';
import { createSourcePoller } from '../../src/rates/poll-sources.ts';
import { type RateSite, type Reply, startRateSite } from './rate-site.ts';
import { responseOf } from './vectors.ts';

/** Monday, 25 March 2024, a minute after the CoinGecko answers. */
const START = 1_711_356_360_000;
const MINUTE = 60_000;
const log = createLogger({ level: 'silent' });
/** Well within a source's timeout, and long enough for a busy machine. */
const POLLING = { timeout: 4_000, interval: 5 };

const GOOD: { readonly [N in PublicSourceName]: string } = {
  kraken: responseOf('kraken', 'all pairs').body,
  coinbase: responseOf('coinbase', 'all coins').body,
  binance: responseOf('binance', 'all pairs').body,
  coingecko: responseOf('coingecko', 'all coins').body,
  // The made-up prices of the other sources assume 1.08 USD per EUR.
  ecb: responseOf('ecb', '28 June 2024')
    .body.replace('2024-06-28', '2024-03-25')
    .replace("rate='1.0705'", "rate='1.0802'"),
};

let sites: { readonly [N in PublicSourceName]: RateSite };
let agent: Agent;
let now: number;
const clock = { now: () => now };

beforeEach(async () => {
  now = START;
  agent = new Agent();
  const started = { kraken: await startRateSite(), coinbase: await startRateSite(), binance: await startRateSite() };
  sites = { ...started, coingecko: await startRateSite(), ecb: await startRateSite() };
  for (const name of PUBLIC_SOURCE_NAMES) sites[name].usually({ body: GOOD[name] });
});
afterEach(async () => {
  await agent.destroy();
  for (const site of Object.values(sites)) await site.close();
});

function createSources(names?: readonly PublicSourceName[]) {
  const { kraken, coinbase, binance, coingecko, ecb } = sites;
  return publicRateSources({
    clock,
    log,
    agent,
    baseUrls: {
      kraken: kraken.url,
      coinbase: coinbase.url,
      binance: [binance.url],
      coingecko: coingecko.url,
      ecb: ecb.url,
    },
    ...(names === undefined ? {} : { names }),
  });
}

function createTable() {
  const table = createRateTable({ clock });
  return { table, ...createSourcePoller({ sources: createSources(), table, log }) };
}

const rateOf = (table: WritableRateTable, symbol: (typeof PRICED_SYMBOLS)[number]) =>
  symbol === 'EUR' || symbol === 'GBP' || symbol === 'PLN' ? table.getFiat(symbol) : table.get(symbol);

describe('all public sources combined', () => {
  it('price every coin and every currency, each from several markets', async () => {
    const { table, pollOnce } = createTable();
    await pollOnce();
    const sourcesOf = Object.fromEntries(PRICED_SYMBOLS.map((symbol) => [symbol, rateOf(table, symbol)?.sources]));
    const exchanges = ['coinbase', 'coingecko', 'kraken'];
    expect(sourcesOf).toEqual({
      ...Object.fromEntries(CRYPTO_SYMBOLS.map((symbol) => [symbol, ['binance', ...exchanges]])),
      USDT: exchanges,
      EURC: exchanges,
      DAI: exchanges,
      MKR: exchanges,
      EUR: ['binance', 'coinbase', 'coingecko', 'kraken'],
      GBP: ['coinbase', 'coingecko', 'kraken'],
      PLN: ['coinbase', 'coingecko'],
    });
  });

  it('are requested once each per round, without an API key', async () => {
    const { pollOnce } = createTable();
    await pollOnce();
    for (const { requested, headers } of Object.values(sites)) {
      expect(requested).toHaveLength(1);
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('x-cg-demo-api-key');
      expect(headers).not.toHaveProperty('cookie');
    }
    const query = new URL(sites.coingecko.requested[0] ?? '', 'http://coingecko').searchParams;
    expect(query.get('ids')?.split(',')).toHaveLength(CRYPTO_SYMBOLS.length);
    expect(query.get('vs_currencies')).toBe('usd,eur,gbp,pln');
    expect(sites.coinbase.requested).toEqual(['/v2/exchange-rates?currency=USD']);
  });

  it('expire rates after 5 minutes, and never convert by reference rates alone', async () => {
    const { table, pollOnce } = createTable();
    await pollOnce();
    for (const site of Object.values(sites)) site.usually('reset');
    now += 5 * MINUTE;
    await pollOnce();
    expect(table.get('BTC')).not.toBeNull();
    now += 1;
    await pollOnce();
    for (const symbol of CRYPTO_SYMBOLS) expect(table.get(symbol), symbol).toBeNull();
    expect(() => requireRates(table, 'BTC', 'EUR')).toThrow(expect.objectContaining({ code: 'RATE_FETCH_FAILED' }));
    for (const currency of ['EUR', 'GBP', 'PLN'] as const) expect(table.getFiat(currency), currency).toBeNull();
    expect(table.status().find(({ source }) => source === 'ecb')).toMatchObject({ failure: null });
  });

  it('give no PLN rate and no payment in PLN while only the ECB quotes it', async () => {
    const { table, pollOnce } = createTable();
    for (const name of ['coinbase', 'coingecko'] as const) sites[name].usually({ status: 500, body: '' });
    await pollOnce();
    expect(table.getFiat('EUR')?.sources).toEqual(['kraken']);
    expect(table.getFiat('PLN')).toBeNull();
    expect(() => requireRates(table, 'LTC', 'PLN')).toThrow(expect.objectContaining({ code: 'RATE_FETCH_FAILED' }));
    sites.coinbase.usually({ body: GOOD.coinbase });
    await pollOnce();
    expect(requireRates(table, 'LTC', 'PLN').fiat).toMatchObject({ sources: ['coinbase'], updatedAt: now });
  });

  it('price live payments through createRates', async () => {
    const rates = createRates({ clock, log, sources: createSources() });
    try {
      await rates.start();
      const { crypto, fiat } = requireRates(rates.forMode('live'), 'PEPE', 'PLN');
      expect(Number(crypto.usd)).toBeCloseTo(0.00000911, 8);
      expect(Number(fiat.usd)).toBeCloseTo(0.2513, 3);
      expect(rates.status().map(({ source, failure }) => [source, failure])).toEqual(
        [...PUBLIC_SOURCE_NAMES].sort().map((name) => [name, null]),
      );
    } finally {
      rates.stop();
    }
  });

  it('are markets and reference rates, so all of them age', () => {
    expect(createSources().filter(({ kind }) => kind === 'own')).toEqual([]);
  });

  it('can be a subset, but Binance needs two sources for the USDT price', () => {
    expect(createSources(['ecb', 'kraken']).map(({ name }) => name)).toEqual(['kraken', 'ecb']);
    expect(createSources(['binance', 'coinbase', 'coingecko'])).toHaveLength(3);
    for (const names of [['binance'], ['binance', 'kraken', 'ecb']] as const) {
      expect(() => createSources(names)).toThrow(expect.objectContaining({ code: 'RATE_SOURCES_INVALID' }));
    }
  });
});

describe('a source that fails', () => {
  const FAULTS: readonly (readonly [string, Reply])[] = [
    ['hangs', 'hang'],
    ['hangs in the middle', 'hang_in_body'],
    ['breaks off', 'truncate'],
    ['resets the connection', 'reset'],
    ['never stops', 'endless'],
    ['is limited', { status: 429, body: '{}', headers: { 'retry-after': '60' } }],
    ['is down', { status: 503, body: '' }],
    ['sends a page', { body: '<html><body>Attention Required! | 403</body></html>' }],
    ['sends nothing', { body: '' }],
    ['redirects', { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }],
  ];
  // Every source uses the same client, so each fault needs one source only.
  const pairs = [
    ...FAULTS.map(([fault, reply]) => ['kraken', fault, reply] as const),
    ...PUBLIC_SOURCE_NAMES.map((name) => [name, 'resets the connection', 'reset'] as const),
  ];

  it.each(pairs)('%s, because it %s, affects no other source', async (name, _, reply) => {
    sites[name].usually(reply);
    const { table, pollOnce, stop } = createTable();
    const round = pollOnce();
    const others = PUBLIC_SOURCE_NAMES.filter((other) => other !== name);
    await vi.waitFor(() => {
      const succeeded = table.status().filter(({ succeededAt }) => succeededAt !== null);
      expect(succeeded.map(({ source }) => source)).toEqual([...others].sort());
    }, POLLING);
    for (const symbol of PRICED_SYMBOLS) {
      const sources = rateOf(table, symbol)?.sources ?? [];
      // Only two markets have a price of PLN.
      expect(sources.length, symbol).toBeGreaterThanOrEqual(symbol === 'PLN' ? 1 : 2);
      expect(sources).not.toContain(name);
    }
    // A source that hangs would delay the round until its timeout.
    if (reply === 'hang' || reply === 'hang_in_body') stop();
    await round;
    expect(table.status().filter(({ succeededAt }) => succeededAt !== null)).toHaveLength(others.length);
  });
});

describe('a source that returns wrong prices', () => {
  const liars = PUBLIC_SOURCE_NAMES.map((name) => [name, '1.2'] as const);

  it.each(liars)(
    '%s, by a factor of %s, moves no rate by more than the spread of the honest sources',
    async (name, factor) => {
      const honest = createTable();
      await honest.pollOnce();
      sites[name].usually({ body: multiplied(GOOD[name], Number(factor)) });
      const { table, pollOnce } = createTable();
      await pollOnce();
      for (const symbol of PRICED_SYMBOLS) {
        const [rate, truth] = [rateOf(table, symbol), rateOf(honest.table, symbol)];
        expect(rate, symbol).not.toBeNull();
        expect(Math.abs(Number(rate?.usd) / Number(truth?.usd) - 1), symbol).toBeLessThan(0.01);
      }
    },
  );

  it('wrong about USDT only, does not move the Binance prices of other coins', async () => {
    const truth = GOOD.kraken.match(/"USDTZUSD":\{.*?\}/)?.[0] ?? '';
    sites.kraken.usually({ body: GOOD.kraken.replace(truth, multiplied(truth, 0.5)) });
    const { table, pollOnce } = createTable();
    await pollOnce();
    expect(table.get('USDT')?.sources).toEqual(['coinbase', 'coingecko']);
    expect(table.get('BTC')?.sources).toEqual(['binance', 'coinbase', 'coingecko', 'kraken']);
  });
});

describe('when USDT trades at 0.9 USD', () => {
  it('other coins keep their dollar price, and USDT costs 0.9', async () => {
    // Quoted in USD, nothing else changes; quoted in USDT, everything costs more.
    const ticker = GOOD.kraken.match(/"USDTZUSD":\{.*?\}/)?.[0] ?? '';
    sites.kraken.usually({ body: GOOD.kraken.replace(ticker, multiplied(ticker, 0.9)) });
    sites.coinbase.usually({ body: GOOD.coinbase.replace('"USDT":"1.000350122542890"', '"USDT":"1.11150013"') });
    sites.coingecko.usually({ body: GOOD.coingecko.replace('"tether":{"usd":0.99967', '"tether":{"usd":0.8997') });
    sites.binance.usually({ body: multiplied(GOOD.binance, 1 / 0.9) });
    const { table, pollOnce } = createTable();
    await pollOnce();
    expect(Number(table.get('USDT')?.usd)).toBeCloseTo(0.9, 2);
    expect(table.get('BTC')).toMatchObject({ sources: ['binance', 'coinbase', 'coingecko', 'kraken'] });
    expect(Number(table.get('BTC')?.usd) / 65_000).toBeCloseTo(1, 2);
    expect(Number(table.get('USDC')?.usd)).toBeCloseTo(1, 2);
  });
});

// Helpers

/** The response with every price in it multiplied; the readers ignore the other numbers. */
function multiplied(body: string, factor: number): string {
  return body.replace(/(?<=["':[])\d+\.\d+(?:e-\d+)?(?=["',}\]])/g, (price) => (Number(price) * factor).toFixed(20));
}
