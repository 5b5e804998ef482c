import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/platform/clock.ts';
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
  it('starts empty, except that a dollar is a dollar', () => {
    const { table } = createTable();
    expect(table.get('BTC')).toBeNull();
    expect(table.getFiat('EUR')).toBeNull();
    expect(table.getFiat('USD')).toEqual({ usd: '1', updatedAt: START, sources: [] });
    expect(table.status()).toEqual([]);
  });

  it('rule 30: returns the median of its sources, the time of the oldest quote used, and the sources used', () => {
    const { table, wait } = createTable();
    table.accept('a', { LTC: '80', EUR: '1.08' }, 'market');
    wait(1_000);
    table.accept('b', { LTC: '81' }, 'market');
    table.accept('liar', { LTC: '8' }, 'market');
    expect(table.get('LTC')).toEqual({ usd: '80.5', updatedAt: START, sources: ['a', 'b'] });
    expect(table.getFiat('EUR')).toEqual({ usd: '1.08', updatedAt: START, sources: ['a'] });
  });

  describe('does not believe a source alone that others contradicted', () => {
    const get = (table: ReturnType<typeof createTable>['table']) => table.get('BTC')?.usd ?? null;

    it('when the others stop answering, until another agrees with it', () => {
      const { table, wait } = createTable();
      for (const source of ['a', 'b', 'c']) table.accept(source, { BTC: '60000' }, 'market');
      for (let minute = 1; minute <= 7; minute += 1) {
        wait(60_000);
        table.accept('wrong', { BTC: '600000' }, 'market');
        expect(get(table)).toBe(minute <= 5 ? '60000' : null);
      }
      table.accept('a', { BTC: '600000' }, 'market');
      expect(get(table)).toBe('600000');
      table.accept('wrong', { BTC: '600000' }, 'market');
      wait(RATES_MAX_AGE_MS);
      table.accept('wrong', { BTC: '610000' }, 'market');
      wait(1);
      expect(get(table)).toBe('610000');
    });

    it('nor either of two that contradict each other', () => {
      for (const last of ['a', 'b']) {
        const { table, wait } = createTable();
        table.accept('a', { BTC: '60000' }, 'market');
        table.accept('b', { BTC: '600000' }, 'market');
        table.accept('a', { BTC: '60000' }, 'market');
        wait(RATES_MAX_AGE_MS);
        table.accept(last, { BTC: last === 'a' ? '60000' : '600000' }, 'market');
        wait(1);
        expect(get(table)).toBeNull();
      }
    });

    it('also when the others have failed shortly before, or no longer have the coin, and also after it lacked it', () => {
      const { table, wait } = createTable();
      table.accept('a', { BTC: '60000', LTC: '80' }, 'market');
      table.accept('wrong', { LTC: '80' }, 'market');
      table.fail('a', 'HTTP 429');
      table.accept('wrong', { BTC: '600000', LTC: '80' }, 'market');
      table.accept('wrong', { LTC: '80' }, 'market');
      wait(RATES_MAX_AGE_MS + 1);
      table.accept('wrong', { BTC: '600000', LTC: '80' }, 'market');
      expect([get(table), table.get('LTC')?.usd]).toEqual([null, '80']);

      const other = createTable().table;
      other.accept('wrong', { BTC: '600000' }, 'market');
      other.accept('a', { BTC: '60000' }, 'market');
      other.accept('a', { LTC: '80' }, 'market');
      expect(get(other)).toBeNull();
    });

    it("but the operator's own price", () => {
      const { table, wait } = createTable();
      table.accept('own', { BTC: '60000' }, 'own');
      table.accept('a', { BTC: '90000' }, 'market');
      table.accept('own', { BTC: '60000' }, 'own');
      expect(get(table)).toBeNull();
      wait(RATES_MAX_AGE_MS + 1);
      expect(get(table)).toBe('60000');
    });

    it('but one whose price has moved while the others fail', () => {
      const { table, wait } = createTable();
      for (const source of ['a', 'b', 'c']) table.accept(source, { BTC: '60000' }, 'market');
      for (const source of ['a', 'b']) table.fail(source, 'HTTP 429');
      for (const price of ['62000', '64000', '66000', '67000', '68000', '69000']) {
        wait(60_000);
        table.accept('c', { BTC: price }, 'market');
      }
      expect(get(table)).toBe('69000');
    });

    it('but one that nothing has contradicted, or that has agreed since', () => {
      const { table, wait } = createTable();
      table.accept('a', { BTC: '60000' }, 'market');
      table.accept('b', { BTC: '600000' }, 'market');
      table.accept('b', { BTC: '60100' }, 'market');
      wait(RATES_MAX_AGE_MS);
      table.accept('b', { BTC: '60200' }, 'market');
      wait(1);
      expect(get(table)).toBe('60200');
    });
  });

  it('rule 32: uses a response for 5 minutes and not a millisecond longer', () => {
    const { table, wait } = createTable();
    table.accept('a', { LTC: '80', EUR: '1.08' }, 'market');
    wait(RATES_MAX_AGE_MS);
    expect(table.get('LTC')).toEqual({ usd: '80', updatedAt: START, sources: ['a'] });
    wait(1);
    expect(table.get('LTC')).toBeNull();
    expect(table.getFiat('EUR')).toBeNull();
    expect(() => requireRates(table, 'LTC', 'USD')).toThrow(
      expect.objectContaining({ name: 'RetryableError', code: 'RATE_FETCH_FAILED' }),
    );
  });

  it('rule 32: ages answers by a monotonic clock, whatever the wall clock is set to', () => {
    let [now, monotonic] = [START, 0];
    const table = createRateTable({ clock: { now: () => now }, monotonicMs: () => monotonic });
    table.accept('a', { LTC: '80' }, 'market');
    now -= 3_600_000;
    expect(table.get('LTC')).toEqual({ usd: '80', updatedAt: now, sources: ['a'] });
    monotonic += RATES_MAX_AGE_MS;
    expect(table.get('LTC')).not.toBeNull();
    monotonic += 1;
    expect(table.get('LTC')).toBeNull();
    // A sleeping machine's monotonic clock stands still; its wall clock is right afterwards.
    table.accept('a', { LTC: '81' }, 'market');
    now += 3_600_000;
    expect(table.get('LTC')).toBeNull();
  });

  it('adds the age that a price had when it was fetched', () => {
    const { table, wait } = createTable();
    table.accept('a', { LTC: '80' }, 'market', START - 120_000);
    expect(table.get('LTC')).toEqual({ usd: '80', updatedAt: START - 120_000, sources: ['a'] });
    wait(RATES_MAX_AGE_MS - 120_000);
    expect(table.get('LTC')).not.toBeNull();
    wait(1);
    expect(table.get('LTC')).toBeNull();
  });

  it('uses the sources whose responses are recent enough', () => {
    const { table, wait } = createTable();
    table.accept('a', { LTC: '80' }, 'market');
    wait(RATES_MAX_AGE_MS);
    table.accept('b', { LTC: '81' }, 'market');
    expect(table.get('LTC')).toEqual({ usd: '80.5', updatedAt: START, sources: ['a', 'b'] });
    wait(1);
    expect(table.get('LTC')).toEqual({ usd: '81', updatedAt: START + RATES_MAX_AGE_MS, sources: ['b'] });
  });

  it('keeps rates without expiry until their source fails', () => {
    const { table, wait } = createTable();
    table.accept('fixed', { LTC: '80' }, 'own');
    wait(100 * RATES_MAX_AGE_MS);
    expect(table.get('LTC')?.usd).toBe('80');
    table.fail('fixed', 'rates.json is gone');
    expect(table.get('LTC')).toBeNull();
    table.accept('fixed', { LTC: '82' }, 'own');
    expect(table.get('LTC')?.usd).toBe('82');
  });

  it('keeps the last response of a failing source until it expires', () => {
    const { table, wait } = createTable();
    table.accept('a', { LTC: '80' }, 'market');
    wait(60_000);
    table.fail('a', 'down');
    expect(table.get('LTC')?.usd).toBe('80');
    expect(table.status()).toEqual([{ source: 'a', succeededAt: START, failedAt: START + 60_000, failure: 'down' }]);
    wait(RATES_MAX_AGE_MS);
    expect(table.get('LTC')).toBeNull();
  });

  it('drops a coin that its source delisted', () => {
    const { table } = createTable();
    table.accept('a', { LTC: '80', BTC: '65000' }, 'market');
    table.accept('a', { BTC: '65000' }, 'market');
    expect(table.get('LTC')).toBeNull();
  });
});

describe('requireRates', () => {
  it('returns both rates or names the missing one', () => {
    const { table } = createTable();
    table.accept('a', { LTC: '80' }, 'market');
    expect(requireRates(table, 'LTC', 'USD')).toMatchObject({ crypto: { usd: '80' }, fiat: { usd: '1' } });
    expect(() => requireRates(table, 'LTC', 'EUR')).toThrow(/rate for EUR/);
    expect(() => requireRates(table, 'BTC', 'EUR')).toThrow(/rate for BTC/);
  });
});
