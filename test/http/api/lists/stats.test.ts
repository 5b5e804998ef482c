import type { Static } from 'typebox';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../../machines/index.ts';
import type { Stats } from '../../../../src/http/api/schemas/stats.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { changeTransactions } from '../../../support/database/transaction-rows.ts';
import { disagreement } from '../document/openapi-document.ts';
import { expectProblem, useApp } from '../support.ts';

interface ResponseBody {
  readonly data: Static<typeof Stats>;
}

describeDatabases('GET /stats', (database) => {
  const { app, merchant } = useApp(database);

  const ask = (query: string, key = merchant().keys.sk_test) =>
    app().call<ResponseBody>({ path: `/stats${query}`, key });

  test('rule 75: summarizes the payments of the last 30 days', async () => {
    const { sk_test: key } = merchant().keys;
    const paid = await app().create(key, { crypto: 'LTC', amount: 10.5 });
    app().clock.advance(60_000);
    await app().simulate(key, paid.transaction_id, 'pay');
    app().clock.advance(60_000);
    await app().simulate(key, paid.transaction_id, 'confirm');
    const late = await app().create(key, { crypto: 'ETH', amount: 20, currency_fiat: 'EUR' });
    await app().simulate(key, late.transaction_id, 'pay_late');
    await app().create(key);
    const { status, body } = await ask('');
    expect(status).toBe(200);
    const { data } = body;
    expect(data).toMatchObject({
      totals: {
        created: 3,
        completed: 1,
        expired: 1,
        partial: 0,
        failed: 0,
        paid_late: 1,
        conversion_rate: 0.3333,
        volume_usd: 10.5,
        average_usd: 10.5,
      },
      by_status: { pending: 1, awaiting_confirmation: 0, completed: 1, partial: 0, expired: 1, failed: 0 },
      by_crypto: {
        LTC: { created: 2, completed: 1, volume_usd: 10.5 },
        ETH: { created: 1, completed: 0, volume_usd: 0 },
      },
      by_fiat: {
        USD: { created: 2, completed: 1, volume_usd: 10.5, volume: 10.5 },
        EUR: { created: 1, completed: 0, volume_usd: 0, volume: 0 },
      },
      timing: { median_seconds_to_complete: 120 },
      // Simulated payments do not count.
      usage: { used: 0, limit: 50 },
    });
    expect(data.timeseries).toHaveLength(31);
    expect(data.timeseries.at(-1)).toMatchObject({ created: 3, completed: 1, volume_usd: 10.5 });
    expect(data.usage.resets_at).toMatch(/^\d{4}-\d{2}-01T00:00:00\.000Z$/);
    expect(Date.parse(data.usage.resets_at)).toBeGreaterThan(app().clock.now());

    // It keeps its status when its coins are gone, and so counts as before.
    await changeTransactions(database().db, { loss: 'gone' }, { id: paid.transaction_id });
    expect((await ask('')).body.data).toEqual(data);
  });

  test('includes only transactions of the mode of the key', async () => {
    const { body } = await ask('', merchant().keys.sk_live);
    expect(body.data.totals.created).toBe(0);
  });

  test('accepts a range and a step length', async () => {
    const { body } = await ask('?from=2026-01-30&to=2026-03-02T00:00:00.001Z&interval=month');
    expect(body.data.timeseries.map(({ start }) => start.slice(0, 10))).toEqual([
      '2026-01-01',
      '2026-02-01',
      '2026-03-01',
    ]);
    const year = await ask('?from=2027-01-01&to=2028-01-01');
    expect(year.body.data.timeseries).toHaveLength(365);
    const today = new Date(app().clock.now()).toISOString();
    const default30 = await ask(`?to=${today}`);
    expect(default30.body.data.timeseries[0]?.start.slice(0, 10)).toBe(
      new Date(app().clock.now() - 30 * DAY_MS).toISOString().slice(0, 10),
    );
  });

  test.each([
    ['?from=2026-03-01&to=2026-03-01', 'from'],
    ['?from=2026-03-02&to=2026-03-01', 'from'],
    ['?from=2025-01-01&to=2026-03-01', 'from'],
    ['?from=9999-01-01', 'from'],
    ['?to=2026-02-30', 'to'],
    ['?from=now', 'from'],
    ['?interval=hour', 'interval'],
    ['?interval=day&interval=week', 'interval'],
    ['?until=2026-03-01', 'until'],
  ])('rejects %s', async (query, field) => {
    expect(expectProblem(await ask(query), 400, 'INVALID_REQUEST').details).toMatchObject([{ field }]);
  });

  // Found by test/fuzz: the response's steps began in the years +010000 and -000001, which are not
  // RFC 3339 date-times.
  test.each([
    ['?to=9999-12-31T23:59:59-12:00&interval=month', 'to'],
    ['?from=0000-01-01T00:00:00%2B01:00', 'from'],
    ['?to=0000-01-05', 'from'],
    ['?from=0000-01-01&to=0000-01-09&interval=week', 'from'],
  ])('rejects a range with too many steps: %s', async (query, field) => {
    expect(expectProblem(await ask(query), 400, 'INVALID_REQUEST').details).toMatchObject([{ field }]);
  });

  test('accepts the first and the last representable range', async () => {
    for (const query of [
      '?from=0001-01-01&to=0001-01-09&interval=week',
      '?from=9999-12-01&to=9999-12-31T23:59:59.999Z',
    ]) {
      const { status, body } = await ask(query);
      expect({ status, wrong: disagreement('GET /stats', status, body) }).toEqual({ status: 200, wrong: null });
    }
  });
});
