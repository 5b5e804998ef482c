import { expect, test } from 'vitest';
import { CRYPTO_SYMBOLS, MINUTE_MS } from '../../../../machines/index.ts';
import { SAMPLE_RATES } from '../../../../src/rates/index.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { expectProblem, useApp } from '../support.ts';

interface Prices {
  readonly success: true;
  readonly data: {
    readonly base: string;
    readonly updated_at: string;
    readonly crypto: Readonly<Record<string, { readonly usd: number; updated_at: string; sources: readonly string[] }>>;
    readonly fiat: Readonly<Record<string, number>>;
  };
}

describeDatabases('prices without any live source', (database) => {
  const { app, merchant } = useApp(database);

  test('are samples for a test key, and labelled so', async () => {
    const { status, body, text } = await app().call<Prices>({ path: '/prices', key: merchant().keys.sk_test });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['success', 'data']);
    expect(Object.keys(body.data)).toEqual(['base', 'updated_at', 'crypto', 'fiat']);
    expect(body.data.base).toBe('USD');
    expect(Object.keys(body.data.crypto)).toEqual([...CRYPTO_SYMBOLS]);
    for (const symbol of CRYPTO_SYMBOLS) {
      const price = body.data.crypto[symbol];
      expect(Object.keys(price ?? {})).toEqual(['usd', 'updated_at', 'sources']);
      expect(price).toMatchObject({ usd: Number(SAMPLE_RATES[symbol]), sources: ['sample'] });
      expect(new Date(price?.updated_at ?? '').toISOString()).toBe(price?.updated_at);
    }
    expect(body.data.fiat).toEqual({ USD: 1, EUR: 1.08, GBP: 1.27, PLN: 0.25 });
    expect(text).toContain('"usd":0.000009,');
  });

  test('rule 74: do not exist for a live key', async () => {
    const response = await app().call({ path: '/prices', key: merchant().keys.sk_live });
    expectProblem(response, 500, 'RATE_FETCH_FAILED');
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
  });
});

describeDatabases('prices with a live source', (database) => {
  const { app, merchant } = useApp(database, { liveRates: { LTC: '80.5', PEPE: '0.0000001', EUR: '1.1' } });

  test('are the live rates for a live key, and no others', async () => {
    const { body, text } = await app().call<Prices>({ path: '/prices', key: merchant().keys.sk_live });
    expect(body.data.crypto).toMatchObject({
      LTC: { usd: 80.5, sources: ['fixed'] },
      PEPE: { usd: 1e-7, sources: ['fixed'] },
    });
    expect(Object.keys(body.data.crypto)).toEqual(['LTC', 'PEPE']);
    expect(body.data.fiat).toEqual({ USD: 1, EUR: 1.1 });
    expect(text).toContain('"usd":0.0000001,');
  });

  test('are live for a test key where available, and samples elsewhere', async () => {
    const { body } = await app().call<Prices>({ path: '/prices', key: merchant().keys.sk_test });
    expect(body.data.crypto.LTC).toMatchObject({ usd: 80.5, sources: ['fixed'] });
    expect(body.data.crypto.BTC).toMatchObject({ usd: 65_000, sources: ['sample'] });
    expect(body.data.fiat).toMatchObject({ EUR: 1.1, GBP: 1.27 });
  });

  test('rule 74: are the quotes of payments, with the time of the oldest', async () => {
    app().clock.advance(MINUTE_MS);
    const { sk_test } = merchant().keys;
    const { body } = await app().call<Prices>({ path: '/prices', key: sk_test });
    const transaction = await app().create(sk_test, { currency_fiat: 'EUR' });
    expect(transaction).toMatchObject({
      exchange_rate: body.data.crypto.LTC?.usd,
      fiat_to_usd_rate: body.data.fiat.EUR,
    });
    const times = Object.values(body.data.crypto).map((price) => price.updated_at);
    expect(times).toContain(body.data.updated_at);
    expect(times.every((time) => time >= body.data.updated_at)).toBe(true);
  });
});
