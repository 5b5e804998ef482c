import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CRYPTO_SYMBOLS, DAY_MS, FIAT_CURRENCIES } from '../../../../../machines/index.ts';
import { getStats, type Share, type Stats } from '../../../../payments/index.ts';
import { TerminalError } from '../../../../platform/errors.ts';
import { dataOf } from '../../schema.ts';
import type { MerchantDeps } from '../deps.ts';
import { memberOf } from '../member.ts';
import { Statistics, StatisticsQuery, type StatisticsShare } from './schemas.ts';

/** Any year, leap years included; every day is a row of the response. */
const MAX_RANGE_DAYS = 366;

/** The numbers of GET /v1/stats in the form of the console. */
export const statisticsRoutes: FastifyPluginAsyncTypebox<Pick<MerchantDeps, 'stats'>> = async (app, { stats }) => {
  const reading = { querystring: StatisticsQuery, response: { 200: dataOf(Statistics) } };
  app.get('/statistics', { schema: reading }, async (request) => {
    const { mode, ...range } = request.query;
    requireRange(range);
    const { merchantId } = memberOf(request);
    return { data: toStatistics(await getStats(stats, { merchantId, mode }, range)) };
  });
};

// Helpers

function requireRange({ from, to }: Pick<StatisticsQuery, 'from' | 'to'>): void {
  if (from >= to) throw new TerminalError('INVALID_REQUEST', 'from must be before to', { field: 'from' });
  if (to - from <= MAX_RANGE_DAYS * DAY_MS) return;
  throw new TerminalError('INVALID_REQUEST', `from must be at most ${MAX_RANGE_DAYS} days before to`, {
    field: 'from',
  });
}

function toStatistics(stats: Stats): Statistics {
  const { totals, timing } = stats;
  return {
    totals: {
      created: totals.created,
      completed: totals.completed,
      expired: totals.expired,
      partial: totals.partial,
      failed: totals.failed,
      paidLate: totals.paid_late,
      conversionRate: totals.conversion_rate,
      volumeUsd: totals.volume_usd,
      averageUsd: totals.average_usd,
    },
    byStatus: stats.by_status,
    byCoin: CRYPTO_SYMBOLS.flatMap((crypto) => {
      const share = stats.by_crypto[crypto];
      return share === undefined ? [] : [{ crypto, ...shareOf(share) }];
    }).sort(mostWorthFirst),
    byCurrency: FIAT_CURRENCIES.flatMap((currency) => {
      const share = stats.by_fiat[currency];
      return share === undefined ? [] : [{ currency, volume: share.volume, ...shareOf(share) }];
    }).sort(mostWorthFirst),
    series: stats.timeseries.map((bucket) => ({ startsAt: Date.parse(bucket.start), ...shareOf(bucket) })),
    medianSecondsToFirstPayment: timing.median_seconds_to_first_payment,
    medianSecondsToComplete: timing.median_seconds_to_complete,
  };
}

function shareOf({ created, completed, volume_usd }: Share): StatisticsShare {
  return { created, completed, volumeUsd: volume_usd };
}

/** Used only to sort, so the rounding of floats does not matter. */
function mostWorthFirst(a: StatisticsShare, b: StatisticsShare): number {
  return Number(b.volumeUsd) - Number(a.volumeUsd) || b.created - a.created;
}
