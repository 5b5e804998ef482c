import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../../../machines/index.ts';
import type { StatisticsDesk } from '../../../console/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import { getStats, type Share, type Stats } from '../../../payments/index.ts';
import { createStatsDeps } from '../stats-deps.ts';
import type { DeskDeps } from './deps.ts';

/** The numbers of GET /v1/stats in the form of the console. */
export function bindStatistics(deps: DeskDeps, { watch }: Pick<OutageNotice, 'watch'>): StatisticsDesk {
  const stats = createStatsDeps(deps);
  return {
    read: ({ merchantId }, { mode, ...request }) =>
      watch(async () => toStatistics(await getStats(stats, { merchantId, mode }, request))),
  };
}

// Helpers

type Statistics = Awaited<ReturnType<StatisticsDesk['read']>>;

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

interface OwnShare {
  readonly created: number;
  readonly completed: number;
  readonly volumeUsd: string;
}

function shareOf({ created, completed, volume_usd }: Share): OwnShare {
  return { created, completed, volumeUsd: volume_usd };
}

/** Used only to sort, so the rounding of floats does not matter. */
function mostWorthFirst(a: OwnShare, b: OwnShare): number {
  return Number(b.volumeUsd) - Number(a.volumeUsd) || b.created - a.created;
}
