import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKrakenSource } from '../../src/rates/sources/kraken.ts';
import { createListedPairs, type Prices } from '../../src/rates/sources/listed-pairs.ts';
import { type RateSite, startRateSite } from './rate-site.ts';
import { asRates, quotesOf, responseOf } from './vectors.ts';

const never = new AbortController().signal;
const ONE = { coefficient: 1n, scale: 0 };

let now: number;
const clock = { now: () => now };
beforeEach(() => {
  now = 1_700_000_000_000;
});

describe('an exchange that rejects a request naming one unlisted pair', () => {
  /** Lists LTC and ETH, and records what it was asked for. */
  function createExchange(listed: Set<string>) {
    const requested: (string | readonly string[])[] = [];
    const pairs = createListedPairs({ symbols: ['LTC', 'MKR', 'ETH'], clock });
    const all = (): Prices =>
      new Map((['LTC', 'MKR', 'ETH'] as const).filter((each) => listed.has(each)).map((each) => [each, ONE]));
    const ask = () =>
      pairs.prices(async (symbols) => {
        requested.push(symbols);
        if (symbols === 'all') return all();
        return symbols.every((symbol) => listed.has(symbol)) ? new Map(symbols.map((symbol) => [symbol, ONE])) : null;
      });
    return { ask, requested };
  }

  it('is asked for all pairs once, then only for the listed ones, and for the others again after an hour', async () => {
    const listed = new Set(['LTC', 'ETH']);
    const { ask, requested } = createExchange(listed);
    expect([...((await ask()) ?? new Map()).keys()]).toEqual(['LTC', 'ETH']);
    expect(requested.splice(0)).toEqual([['LTC', 'MKR', 'ETH'], 'all']);
    now += 3_599_999;
    expect((await ask())?.size).toBe(2);
    expect(requested.splice(0)).toEqual([['LTC', 'ETH']]);
    now += 1;
    listed.add('MKR');
    expect((await ask())?.size).toBe(3);
    expect(requested.splice(0)).toEqual([['LTC', 'MKR', 'ETH']]);
  });

  it('may delist another pair at any time', async () => {
    const listed = new Set(['LTC', 'MKR', 'ETH']);
    const { ask, requested } = createExchange(listed);
    expect((await ask())?.size).toBe(3);
    listed.delete('LTC');
    expect([...((await ask()) ?? new Map()).keys()]).toEqual(['MKR', 'ETH']);
    listed.clear();
    expect((await ask())?.size).toBe(0);
    requested.splice(0);
    expect((await ask())?.size).toBe(0);
    expect(requested).toEqual(['all']);
  });

  it('has no prices when it refuses even its full list', async () => {
    const pairs = createListedPairs({ symbols: ['LTC'], clock });
    expect(await pairs.prices(async () => null)).toBeNull();
  });
});

describe('Kraken after it delisted MKR', () => {
  let site: RateSite;
  let agent: Agent;
  beforeEach(async () => {
    site = await startRateSite();
    agent = new Agent();
  });
  afterEach(async () => {
    await agent.destroy();
    await site.close();
  });

  it('quotes all other coins', async () => {
    const everything = responseOf('kraken', 'all pairs');
    const without = everything.body.replace(/,"MKRUSD":\{[^}]*\}/, '');
    expect(without).not.toBe(everything.body);
    site.usually((path) => ({
      body: path.includes('MKRUSD') ? responseOf('kraken', 'one unknown pair').body : without,
    }));
    const { MKR, ...others } = quotesOf(everything);
    expect(MKR).toBeDefined();
    const source = createKrakenSource({ agent, clock }, site.url);
    expect(asRates(await source.fetch(never))).toEqual(others);
    expect(asRates(await source.fetch(never))).toEqual(others);
    const [first, second, third] = site.requested;
    expect(site.requested).toHaveLength(3);
    expect(first).toBe(
      '/0/public/Ticker?pair=XBTUSD,LTCUSD,XDGUSD,DASHUSD,ETHUSD,USDTUSD,USDCUSD,EURCUSD,DAIUSD,WBTCUSD,SHIBUSD,PEPEUSD,LINKUSD,UNIUSD,AAVEUSD,MKRUSD,EURUSD,GBPUSD',
    );
    expect(second).toBe('/0/public/Ticker');
    expect(third).toBe(first?.replace(',MKRUSD', ''));
  });

  it('is paused when it reports too many requests with status 200', async () => {
    site.usually({ body: responseOf('kraken', 'asked too often').body });
    const source = createKrakenSource({ agent, clock }, site.url);
    await expect(source.fetch(never)).rejects.toMatchObject({ code: 'RATE_SOURCE_LIMITED' });
    await expect(source.fetch(never)).rejects.toMatchObject({ code: 'RATE_SOURCE_RESTING' });
    expect(site.requested).toHaveLength(1);
  });
});
