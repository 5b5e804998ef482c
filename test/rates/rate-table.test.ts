import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { createRateTable, RATES_MAX_AGE_MS, requireRates } from '../../src/rates/index.ts';

const START = 1_700_000_000_000;

function createTable() {
  let now = START;
  const clock: Clock = { now: () => now };
  const wait = (ms: number) => {
    now += ms;
  };
  return { table: createRateTable({ clock }), wait };
}

describe('a rate table', () => {
  it('knows nothing at first, except that a dollar is a dollar', () => {
    const { table } = createTable();
    expect(table.get('BTC')).toBeNull();
    expect(table.getFiat('EUR')).toBeNull();
    expect(table.getFiat('USD')).toEqual({ usd: '1', updatedAt: START, sources: [] });
    expect(table.status()).toEqual([]);
  });

  it('gives the median of its sources, the time of the oldest answer in it, and who took part', () => {
    const { table, wait } = createTable();
    table.accept('a', { LTC: '80', EUR: '1.08' }, true);
    wait(1_000);
    table.accept('b', { LTC: '81' }, true);
    table.accept('liar', { LTC: '8' }, true);
    expect(table.get('LTC')).toEqual({ usd: '80.5', updatedAt: START, sources: ['a', 'b'] });
    expect(table.getFiat('EUR')).toEqual({ usd: '1.08', updatedAt: START, sources: ['a'] });
  });

  it('uses an answer for 5 minutes and not a millisecond longer', () => {
    const { table, wait } = createTable();
    table.accept('a', { LTC: '80', EUR: '1.08' }, true);
    wait(RATES_MAX_AGE_MS);
    expect(table.get('LTC')).toEqual({ usd: '80', updatedAt: START, sources: ['a'] });
    wait(1);
    expect(table.get('LTC')).toBeNull();
    expect(table.getFiat('EUR')).toBeNull();
    expect(() => requireRates(table, 'LTC', 'USD')).toThrow(
      expect.objectContaining({ name: 'RetryableError', code: 'RATE_FETCH_FAILED' }),
    );
  });

  it('goes on with the sources that are young enough', () => {
    const { table, wait } = createTable();
    table.accept('a', { LTC: '80' }, true);
    wait(RATES_MAX_AGE_MS);
    table.accept('b', { LTC: '81' }, true);
    expect(table.get('LTC')).toEqual({ usd: '80.5', updatedAt: START, sources: ['a', 'b'] });
    wait(1);
    expect(table.get('LTC')).toEqual({ usd: '81', updatedAt: START + RATES_MAX_AGE_MS, sources: ['b'] });
  });

  it('keeps rates that do not age, until their source fails', () => {
    const { table, wait } = createTable();
    table.accept('fixed', { LTC: '80' }, false);
    wait(100 * RATES_MAX_AGE_MS);
    expect(table.get('LTC')?.usd).toBe('80');
    table.fail('fixed', 'rates.json is gone');
    expect(table.get('LTC')).toBeNull();
    table.accept('fixed', { LTC: '82' }, false);
    expect(table.get('LTC')?.usd).toBe('82');
  });

  it('keeps the last answer of a source that fails for as long as it is young enough', () => {
    const { table, wait } = createTable();
    table.accept('a', { LTC: '80' }, true);
    wait(60_000);
    table.fail('a', 'down');
    expect(table.get('LTC')?.usd).toBe('80');
    expect(table.status()).toEqual([{ source: 'a', succeededAt: START, failedAt: START + 60_000, failure: 'down' }]);
    wait(RATES_MAX_AGE_MS);
    expect(table.get('LTC')).toBeNull();
  });

  it('forgets a coin that its source no longer lists', () => {
    const { table } = createTable();
    table.accept('a', { LTC: '80', BTC: '65000' }, true);
    table.accept('a', { BTC: '65000' }, true);
    expect(table.get('LTC')).toBeNull();
  });
});

describe('requireRates', () => {
  it('gives both rates or names the one that is missing', () => {
    const { table } = createTable();
    table.accept('a', { LTC: '80' }, true);
    expect(requireRates(table, 'LTC', 'USD')).toMatchObject({ crypto: { usd: '80' }, fiat: { usd: '1' } });
    expect(() => requireRates(table, 'LTC', 'EUR')).toThrow(/rate for EUR/);
    expect(() => requireRates(table, 'BTC', 'EUR')).toThrow(/rate for BTC/);
  });
});
