import { beforeAll, expect, test } from 'vitest';
import { expectProblem, useApp } from '../http/api/support.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { sendRequest } from './harness.ts';
import { METADATA, MINIMUM_USD } from './tables/limits.ts';
import { FIAT_CURRENCIES } from './tables/values.ts';

describeDatabases('the limits of a new transaction', (database) => {
  const { app, merchant } = useApp(database);
  let key: string;
  beforeAll(async () => {
    key = merchant().keys.sk_test;
    await database().db.updateTable('merchant').set({ plan: 'enterprise' }).where('id', '=', merchant().id).execute();
  });

  /** The smallest amount in cents that is worth the minimum, at the published rate. */
  async function leastCents(currency: string): Promise<number> {
    const { body } = await sendRequest<{ data: { fiat: Record<string, number> } }>(app(), 'getPrices', { key });
    const usd = body.data.fiat[currency];
    if (usd === undefined) throw new Error(`${currency} has no rate`);
    // In integer ten-thousandths of a USD, so that the division is exact enough to round up.
    return Math.ceil((MINIMUM_USD * 100 * 10_000) / Math.round(usd * 10_000));
  }

  test.each(FIAT_CURRENCIES)('1.00 USD in %s is enough to create, and a cent less is not', async (currency_fiat) => {
    const cents = await leastCents(currency_fiat);
    const [enough, short] = [cents / 100, (cents - 1) / 100];
    const create = (amount: number) =>
      sendRequest(app(), 'createTransaction', { key, body: { crypto: 'LTC', amount, currency_fiat } });
    expect((await create(enough)).status).toBe(201);
    expectProblem(await create(short), 400, 'AMOUNT_TOO_LOW');
    const detailed = (price: number) => {
      const items = [{ name: 'Tea', price }];
      return sendRequest(app(), 'createDetailedTransaction', {
        key,
        body: { crypto: 'LTC', items, order_id: '1042', currency_fiat },
      });
    };
    expect((await detailed(enough)).status).toBe(201);
    expectProblem(await detailed(short), 400, 'AMOUNT_TOO_LOW');
    const pay = (amount: number) => {
      const parts = { pk: merchant().keys.pk_test, amount: amount.toFixed(2), crypto: 'LTC', currency: currency_fiat };
      return sendRequest(app(), 'hostedCheckoutRedirect', { query: String(new URLSearchParams(parts)) });
    };
    expect((await pay(enough)).status).toBe(302);
    expectProblem(await pay(short), 400, 'AMOUNT_TOO_LOW');
  });

  const longest = 'ß'.repeat(METADATA.valueCharacters);
  /** An object whose JSON text has this many bytes, in strings within the length limit. */
  const ofBytes = (bytes: number) => {
    const metadata: Record<string, string> = {};
    for (const name of 'abcdefgh') metadata[name] = 'x'.repeat(METADATA.valueCharacters);
    metadata.i = '';
    metadata.i = 'x'.repeat(bytes - Buffer.byteLength(JSON.stringify(metadata)));
    return metadata;
  };
  const withKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

  test.each([
    ['as many keys as there may be', withKeys(METADATA.keys), 201],
    ['one key more', withKeys(METADATA.keys + 1), 400],
    ['a value as long as it may be', { note: longest }, 201],
    ['a value one character longer', { note: `${longest}ß` }, 400],
    ['as many bytes as there may be', ofBytes(METADATA.bytes), 201],
    ['one byte more', ofBytes(METADATA.bytes + 1), 400],
  ])('metadata with %s', async (_name, metadata, status) => {
    const response = await sendRequest(app(), 'createTransaction', {
      key,
      body: { crypto: 'LTC', amount: 25, metadata },
    });
    expect(response.status).toBe(status);
    if (status === 201) expect(response.body.data.metadata).toEqual(metadata);
    else expectProblem(response, 400, 'INVALID_METADATA');
  });
});
