import { expect, test } from 'vitest';
import { DAY_MS } from '../../../../machines/index.ts';
import { changeTransactions } from '../../../support/database/transaction-rows.ts';
import { POLLING } from '../../../support/polling.ts';
import { describeConsole } from '../support/describe-console.ts';

describeConsole('the statistics of a merchant in the console', {}, (console) => {
  const path = (query: Record<string, string | number>) =>
    `/merchant/statistics?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`;
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS;
  const week = { mode: 'test', from: to - 7 * DAY_MS, to, interval: 'day' } as const;
  const read = async (query: Record<string, string | number> = week) =>
    (await console.call('staff', { path: path(query) })).data;

  test('are for users of a merchant only', async () => {
    for (const [who, status] of [
      [null, 401],
      ['operator', 403],
      ['observer', 403],
      ['staff', 200],
      ['owner', 200],
    ] as const) {
      expect(await console.call(who, { path: path(week) })).toMatchObject({ status });
    }
  });

  test('equal GET /v1/stats but for the conversion rate, which leaves out open payments', async () => {
    const made: string[] = [];
    for (const [crypto, amount, currency_fiat] of [
      ['LTC', 25, 'EUR'],
      ['BTC', 40.5, 'USD'],
      ['LTC', 10, 'PLN'],
      ['BTC', 12, 'EUR'],
    ] as const) {
      const response = await console.api({
        method: 'POST',
        path: '/transactions/create',
        body: { crypto, amount, currency_fiat },
      });
      expect(response.status).toBe(201);
      made.push(response.data.transaction_id);
    }
    for (const id of made.slice(0, 2)) {
      for (const action of ['pay', 'confirm']) {
        const step = await console.api({ method: 'POST', path: `/transactions/${id}/simulate`, body: { action } });
        expect(step.status).toBe(200);
      }
    }
    await expect.poll(async () => (await read()).totals.completed, POLLING).toBe(2);

    const seen = await read();
    const range = `from=${new Date(week.from).toISOString()}&to=${new Date(week.to).toISOString()}&interval=day`;
    const { data: api } = await console.api({ path: `/stats?${range}` });
    expect(seen.totals).toMatchObject({
      created: api.totals.created,
      completed: api.totals.completed,
      expired: api.totals.expired,
      partial: api.totals.partial,
      failed: api.totals.failed,
      paidLate: api.totals.paid_late,
      completionRate: String(api.totals.conversion_rate),
      volumeUsd: String(api.totals.volume_usd),
      averageUsd: api.totals.average_usd === null ? null : String(api.totals.average_usd),
    });
    const volumes = [
      { currency: 'USD', amount: '40.5' },
      { currency: 'EUR', amount: '25' },
    ];
    expect(seen.totals).toMatchObject({ created: 4, completed: 2, open: 2, gone: 0, conversionRate: '1', volumes });
    expect(seen.byStatus).toEqual(api.by_status);
    expect(seen.medianSecondsToComplete).toBe(api.timing.median_seconds_to_complete);
    expect(seen.medianSecondsToFirstPayment).toBe(api.timing.median_seconds_to_first_payment);
    const shareOf = (share: { created: number; completed: number; volume_usd: unknown }) => ({
      created: share.created,
      completed: share.completed,
      volumeUsd: String(share.volume_usd),
    });
    for (const { crypto, ...share } of seen.byCoin) expect(share).toMatchObject(shareOf(api.by_crypto[crypto]));
    expect(seen.byCoin).toHaveLength(Object.keys(api.by_crypto).length);
    for (const { currency, volume, ...share } of seen.byCurrency) {
      expect({ volume, ...share }).toMatchObject({
        volume: String(api.by_fiat[currency].volume),
        ...shareOf(api.by_fiat[currency]),
      });
    }
    expect(seen.byCurrency).toHaveLength(Object.keys(api.by_fiat).length);
    expect(seen.series).toMatchObject(
      api.timeseries.map((bucket: { start: string; created: number; completed: number; volume_usd: unknown }) => ({
        startsAt: Date.parse(bucket.start),
        ...shareOf(bucket),
      })),
    );
    // Coins are sorted by volume, largest first.
    expect(Number(seen.byCoin[0].volumeUsd)).toBeGreaterThanOrEqual(Number(seen.byCoin.at(-1).volumeUsd));

    await changeTransactions(console.db, { loss: 'gone' }, { id: made[1] ?? '' });
    const left = await read();
    expect(left.totals).toMatchObject({ completed: 1, open: 2, gone: 1, conversionRate: '0.5' });
    expect(left.totals.volumes).toEqual(volumes.slice(1));
    expect(left.byCurrency).toContainEqual(
      expect.objectContaining({ currency: 'USD', completed: 0, volume: '0', gone: 1, goneVolume: '40.5' }),
    );
    const { data: still } = await console.api({ path: `/stats?${range}` });
    expect(still).toEqual(api);
  });

  test('are those of the mode and the merchant only', async () => {
    expect(await read({ ...week, mode: 'live' })).toMatchObject({ totals: { created: 0, conversionRate: null } });
    const neighbours = await console.call('neighbour', { path: path(week) });
    expect(neighbours.data).toMatchObject({ totals: { created: 0, volumeUsd: '0' }, byCoin: [], byCurrency: [] });
  });

  test('name the invalid field', async () => {
    for (const [changes, field] of [
      [{ mode: 'both' }, 'mode'],
      [{ interval: 'hour' }, 'interval'],
      [{ from: 'yesterday' }, 'from'],
      [{ from: -1 }, 'from'],
      [{ to: week.from }, 'from'],
      [{ from: week.to - 367 * DAY_MS }, 'from'],
      [{ to: 1e17 }, 'to'],
      [{ merchantId: console.merchantId }, '"merchantId"'],
    ] as const) {
      const response = await console.call('owner', { path: path({ ...week, ...changes }) });
      expect(response).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
      expect(response.message).toMatch(new RegExp(`^${field} `));
    }
    expect(await console.call('owner', { path: path({ ...week, from: week.to - 366 * DAY_MS }) })).toMatchObject({
      status: 200,
    });
  });
});
