import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateTable, medianPrice, type Quotes, type RateSource } from '../../src/rates/index.ts';
import { createSourcePoller } from '../../src/rates/poll-sources.ts';
import { createBinanceSource } from '../../src/rates/sources/binance.ts';
import { createTetherRate } from '../../src/rates/sources/tether-rate.ts';
import { silentLog } from '../support/silent-log.ts';
import { difference, fraction, times } from './arbitraries.ts';
import { type RateSite, startRateSite } from './rate-site.ts';
import { asRates, quotesOf, responseOf } from './vectors.ts';

const never = new AbortController().signal;
const ALL = responseOf('binance', 'all pairs');
/** As prices in USD, because the rate of USDT is 1 by default. */
const IN_TETHER = asRates(quotesOf(ALL));
const FORBIDDEN = responseOf('binance', 'refused for the country');

let sites: RateSite[];
let agent: Agent;
let now: number;
const clock = { now: () => now };

beforeEach(async () => {
  now = 1_700_000_000_000;
  agent = new Agent();
  sites = [await startRateSite(), await startRateSite()];
  for (const site of sites) site.usually({ body: ALL.body });
});
afterEach(async () => {
  await agent.destroy();
  for (const site of sites) await site.close();
});

function createBinance(usd = '1') {
  const tether = { price: async () => ({ usd, pricedAt: now }) };
  return createBinanceSource(
    { agent, clock, tether },
    sites.map(({ url }) => url),
  );
}

const requested = () => sites.map((site) => site.requested.length);

describe('Binance', () => {
  it('requests the books of all USDT pairs in one request', async () => {
    await createBinance().fetch(never);
    const [site] = sites;
    const url = new URL(site?.requested[0] ?? '', 'http://binance');
    expect(url.pathname).toBe('/api/v3/ticker/bookTicker');
    const symbols: string[] = JSON.parse(url.searchParams.get('symbols') ?? '');
    expect(symbols).toContain('BTCUSDT');
    expect(symbols.filter((symbol) => !symbol.endsWith('USDT'))).toEqual([]);
  });

  it('converts prices in USDT to USD by the USDT rate', async () => {
    const inTether = quotesOf(ALL);
    for (const usd of ['1', '0.95', '1.02', '0.9876543210123']) {
      const quotes: Quotes = await createBinance(usd).fetch(never);
      expect(Object.keys(quotes).sort()).toEqual(Object.keys(inTether).sort());
      for (const [symbol, quoted] of Object.entries(quotes)) {
        const expected = times(fraction(inTether[symbol] ?? ''), fraction(usd));
        expect(difference(fraction(quoted), expected), `${symbol} at ${usd}`).toBe(0n);
      }
    }
  });

  it('returns no quote for USDT itself or for a closed market', async () => {
    const quotes = await createBinance().fetch(never);
    expect(quotes.USDT).toBeUndefined();
    expect(quotes.MKR).toBeUndefined();
  });

  it('falls back to the second address when the first refuses, and stays on it', async () => {
    sites[0]?.usually({ status: FORBIDDEN.status, body: FORBIDDEN.body });
    const binance = createBinance();
    expect(asRates(await binance.fetch(never)).BTC).toBe(IN_TETHER.BTC);
    expect(requested()).toEqual([1, 1]);
    await binance.fetch(never);
    expect(requested()).toEqual([1, 2]);
    sites[1]?.usually('reset');
    sites[0]?.usually({ body: ALL.body });
    await binance.fetch(never);
    expect(requested()).toEqual([2, 3]);
  });

  it('rejects when every address refuses', async () => {
    for (const site of sites) site.usually({ status: FORBIDDEN.status, body: FORBIDDEN.body });
    await expect(createBinance().fetch(never)).rejects.toThrow('binance returned HTTP 451');
    expect(requested()).toEqual([1, 1]);
  });

  it('tries no other address when one asks for a pause', async () => {
    sites[0]?.usually({ status: 418, body: '', headers: { 'retry-after': '3600' } });
    const binance = createBinance();
    await expect(binance.fetch(never)).rejects.toMatchObject({ code: 'RATE_SOURCE_LIMITED' });
    await expect(binance.fetch(never)).rejects.toMatchObject({ code: 'RATE_SOURCE_RESTING' });
    expect(requested()).toEqual([1, 0]);
    now += 3_600_000;
    sites[0]?.usually({ body: ALL.body });
    await binance.fetch(never);
    expect(requested()).toEqual([2, 0]);
  });

  it('drops a delisted pair and keeps fetching the others', async () => {
    const unknown = responseOf('binance', 'one unknown pair');
    const [site] = sites;
    site?.usually((path) =>
      path.includes('MKRUSDT') ? { status: unknown.status, body: unknown.body } : { body: ALL.body },
    );
    const binance = createBinance();
    expect(asRates(await binance.fetch(never)).BTC).toBe(IN_TETHER.BTC);
    await binance.fetch(never);
    expect(requested()).toEqual([3, 0]);
  });
});

describe('the USD price of USDT', () => {
  function createWitness(name: string) {
    let quotes: Quotes = {};
    const source: RateSource = { name, kind: 'market', pollEveryMs: 60_000, fetch: async () => quotes };
    const says = (next: Quotes) => {
      quotes = next;
    };
    return { source, says };
  }

  function createWitnesses(...names: readonly string[]) {
    const tether = createTetherRate({ clock, monotonicMs: clock.now });
    const witnesses = names.map(createWitness);
    const sources = witnesses.map(({ source }) => tether.witness(source));
    const respondWith = async (...prices: readonly (string | null)[]) => {
      for (const [index, usd] of prices.entries()) {
        witnesses[index]?.says(usd === null ? { BTC: '65000' } : { USDT: usd });
        await sources[index]?.fetch(never);
      }
    };
    const known = () =>
      tether.price(AbortSignal.abort()).then(
        ({ usd }) => usd,
        (error: unknown) => error,
      );
    return { tether, respondWith, known };
  }
  const unknown = expect.objectContaining({ name: 'RetryableError', code: 'RATE_USDT_UNKNOWN' });

  it('is known once two sources agree on it', async () => {
    const { respondWith, known } = createWitnesses('a', 'b', 'c');
    expect(await known()).toEqual(unknown);
    await respondWith('0.9996');
    expect(await known()).toEqual(unknown);
    await respondWith('0.9996', '0.9998');
    expect(await known()).toBe('0.9997');
  });

  it('cannot be moved by one of three sources, and is unknown when one of two is wrong', async () => {
    const { respondWith, known } = createWitnesses('a', 'b', 'c');
    await respondWith('0.9996', '0.5', '0.9998');
    expect(await known()).toBe(
      medianPrice([
        { source: 'a', usd: '0.9996' },
        { source: 'c', usd: '0.9998' },
      ])?.usd,
    );
    await respondWith('0.9996', '0.5', null);
    expect(await known()).toEqual(unknown);
    await respondWith('0.3', '0.5', '0.9998');
    expect(await known()).toEqual(unknown);
  });

  it('falls with USDT instead of staying at 1 USD', async () => {
    const { respondWith, known } = createWitnesses('a', 'b');
    await respondWith('0.71', '0.7');
    expect(await known()).toBe('0.705');
  });

  it('expires 5 minutes after the last quotes', async () => {
    const { respondWith, known } = createWitnesses('a', 'b');
    await respondWith('1', '1');
    now += 300_000;
    expect(await known()).toBe('1');
    now += 1;
    expect(await known()).toEqual(unknown);
  });

  it('rule 32: is not used for rates once it is more than 5 minutes old', async () => {
    const { tether, respondWith } = createWitnesses('a', 'b');
    const startedAt = now;
    await respondWith('1', '1');
    now += 299_000;
    const binance = createBinanceSource(
      { agent, clock, tether },
      sites.map(({ url }) => url),
    );
    const table = createRateTable({ clock, monotonicMs: clock.now });
    await createSourcePoller({ sources: [binance], table, log: silentLog }).pollOnce();
    now = startedAt + 300_000;
    expect(table.get('LTC')).toMatchObject({ updatedAt: startedAt, sources: ['binance'] });
    now += 1;
    expect(table.get('LTC')).toBeNull();
  });

  it('rule 32: is dated by the age that each source reports for its price', async () => {
    const tether = createTetherRate({ clock, monotonicMs: clock.now });
    const aged = (name: string, ageMs: number) => {
      const { source, says } = createWitness(name);
      says({ USDT: '1' });
      return tether.witness({ ...source, publishedAt: () => now - ageMs });
    };
    for (const source of [aged('a', 120_000), aged('b', 60_000)]) await source.fetch(never);
    now += 10_000;
    expect(await tether.price(never)).toEqual({ usd: '1', pricedAt: now - 130_000 });
    now += 170_001;
    await expect(tether.price(AbortSignal.abort())).rejects.toEqual(unknown);
  });

  it('is awaited while the other sources are still being fetched', async () => {
    const { tether, respondWith } = createWitnesses('a', 'b');
    const binance = createBinanceSource(
      { agent, clock, tether },
      sites.map(({ url }) => url),
    );
    const asking = binance.fetch(never);
    await vi.waitFor(() => expect(requested()[0]).toBe(1));
    await respondWith('0.9', '0.9');
    const quotes = await asking;
    expect(Number(quotes.USDC)).toBeCloseTo(0.9 * 1.00025, 10);
  });
});
