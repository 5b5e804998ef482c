import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../machines/index.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { PRICED_SYMBOLS } from '../../src/platform/config/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import {
  createFixedSource,
  createRates,
  parseFiatAmount,
  quote,
  type RateSource,
  type Rates,
  requireRates,
  SAMPLE_RATES,
} from '../../src/rates/index.ts';

const log = createLogger({ level: 'silent' });
const signal = new AbortController().signal;
const started: Rates[] = [];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-rates-'));
});
afterEach(async () => {
  for (const rates of started.splice(0)) rates.stop();
  await rm(folder, { recursive: true });
});

async function startRates(sources: readonly RateSource[], clock: Clock = systemClock): Promise<Rates> {
  const rates = createRates({ clock, log, sources });
  started.push(rates);
  await rates.start();
  return rates;
}

describe('rates for test keys', () => {
  it('exist for every coin and currency without any configuration, labelled as samples', async () => {
    const table = (await startRates([])).forMode('test');
    for (const symbol of CRYPTO_SYMBOLS) {
      expect(table.get(symbol)).toMatchObject({ usd: SAMPLE_RATES[symbol], sources: ['sample'] });
      for (const currency of FIAT_CURRENCIES) {
        const { crypto, fiat } = requireRates(table, symbol, currency);
        const amount = parseFiatAmount(25.5);
        if (!amount.ok) throw new Error(amount.message);
        const quoted = quote({
          amountFiat: amount.amountFiat,
          currency,
          symbol,
          fiatUsd: fiat.usd,
          cryptoUsd: crypto.usd,
        });
        expect(quoted.dueBaseUnits > 0n).toBe(true);
      }
    }
    expect(Object.keys(SAMPLE_RATES).sort()).toEqual([...PRICED_SYMBOLS].sort());
  });

  it('are the live rates where those exist', async () => {
    const rates = await startRates([createFixedSource({ kind: 'inline', rates: { LTC: '81.25' } })]);
    expect(rates.forMode('test').get('LTC')).toMatchObject({ usd: '81.25', sources: ['fixed'] });
    expect(rates.forMode('test').get('BTC')).toMatchObject({ sources: ['sample'] });
  });
});

describe('rates for live payments', () => {
  it('rule 35: are absent without a source, and are never samples', async () => {
    const table = (await startRates([])).forMode('live');
    for (const symbol of CRYPTO_SYMBOLS) expect(table.get(symbol)).toBeNull();
    expect(() => requireRates(table, 'LTC', 'USD')).toThrow(expect.objectContaining({ code: 'RATE_FETCH_FAILED' }));
  });

  it('use the fixed rates for the pairs they name, which never expire', async () => {
    let now = 1_700_000_000_000;
    const fixed = createFixedSource({ kind: 'inline', rates: { LTC: '80.5', EUR: '1.08' } });
    const rates = await startRates([fixed], { now: () => now });
    now += 365 * 24 * 3_600_000;
    expect(requireRates(rates.forMode('live'), 'LTC', 'EUR')).toMatchObject({
      crypto: { usd: '80.5', sources: ['fixed'] },
      fiat: { usd: '1.08', sources: ['fixed'] },
    });
    expect(rates.forMode('live').get('BTC')).toBeNull();
    expect(rates.status()).toMatchObject([{ source: 'fixed', failure: null }]);
  });

  it('are absent until the rates file has been read', async () => {
    const rates = await startRates([createFixedSource({ kind: 'file', path: join(folder, 'none.json') })]);
    expect(rates.forMode('live').get('LTC')).toBeNull();
    expect(rates.status()).toMatchObject([{ source: 'fixed', failure: expect.stringContaining('ENOENT') }]);
  });
});

describe('a rates file', () => {
  it('is read again when it changes, and only then', async () => {
    const path = join(folder, 'rates.json');
    await writeFile(path, '{"LTC":"80.5"}');
    const source = createFixedSource({ kind: 'file', path });
    const first = await source.fetch(signal);
    expect(first).toEqual({ LTC: '80.5' });
    expect(await source.fetch(signal)).toBe(first);
    await writeFile(path, '{"LTC":"90.5"}');
    await utimes(path, new Date(), new Date(Date.now() + 5_000));
    expect(await source.fetch(signal)).toEqual({ LTC: '90.5' });
  });

  it('can be replaced by another file of the same age and size', async () => {
    const [path, next, when] = [join(folder, 'rates.json'), join(folder, 'next.json'), new Date(1_700_000_000_000)];
    await writeFile(path, '{"LTC":"80.5"}');
    await writeFile(next, '{"LTC":"90.5"}');
    await Promise.all([utimes(path, when, when), utimes(next, when, when)]);
    const source = createFixedSource({ kind: 'file', path });
    expect(await source.fetch(signal)).toEqual({ LTC: '80.5' });
    await rename(next, path);
    expect(await source.fetch(signal)).toEqual({ LTC: '90.5' });
  });

  it('is rejected while it is invalid or missing, and used again once it is fixed', async () => {
    const path = join(folder, 'rates.json');
    await writeFile(path, '{"LTC":"80.5"}');
    const source = createFixedSource({ kind: 'file', path });
    await source.fetch(signal);
    await writeFile(path, '{"LTC":"-1","XBT":"1"}');
    await expect(source.fetch(signal)).rejects.toMatchObject({
      code: 'RATES_FILE_INVALID',
      message: expect.stringMatching(/LTC.*and.*XBT/),
    });
    await rm(path);
    await expect(source.fetch(signal)).rejects.toThrow(/ENOENT/);
    await writeFile(path, '{"LTC":"81.5"}');
    expect(await source.fetch(signal)).toEqual({ LTC: '81.5' });
  });
});
