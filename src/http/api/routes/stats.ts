import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { DAY_MS, type UnixMs } from '../../../../machines/index.ts';
import { type AccountDeps, type Usage, usageOf } from '../../../billing/index.ts';
import {
  getStats,
  MAX_STATS_DAYS,
  type Stats as StatsOfPayments,
  type StatsRange,
  type StatsTotals,
} from '../../../payments/index.ts';
import { isoTime } from '../../../platform/iso-time.ts';
import { callerOf } from '../plugins/require-secret-key.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';
import { type Stats, StatsEnvelope, StatsQuery, type StatsShare } from '../schemas/stats.ts';
import { timestampOf } from '../timestamps.ts';

const DEFAULT_RANGE_DAYS = 30;

export const statsRoute: FastifyPluginAsyncTypebox<AccountDeps> = async (app, deps) => {
  app.get(
    '/stats',
    {
      schema: {
        operationId: 'getStats',
        summary: 'Get statistics',
        description: `Statistics of the transactions in the mode of your key that were created in a range of at most ${MAX_STATS_DAYS} days. Days, weeks and months are in UTC.`,
        tags: ['Account'],
        querystring: StatsQuery,
        response: { 200: ref(StatsEnvelope), ...failures() },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const [stats, usage] = await Promise.all([
        getStats(deps.db, caller, rangeOf(request.query, deps.clock.now())),
        usageOf(deps, caller.merchantId),
      ]);
      return reply.send({ success: true, data: toStats(stats, usage) });
    },
  );
};

// Helpers

function rangeOf(query: Static<typeof StatsQuery>, now: UnixMs): StatsRange {
  // Includes what was created in this very millisecond.
  const to = query.to === undefined ? now + 1 : timestampOf(query.to, 'to');
  const from = query.from === undefined ? to - DEFAULT_RANGE_DAYS * DAY_MS : timestampOf(query.from, 'from');
  // Numbers by status, which stays completed when coins vanish later.
  return { from, to, interval: query.interval ?? 'day', countsGone: true };
}

function toStats(stats: StatsOfPayments, usage: Usage): Static<typeof Stats> {
  const { created, completed, expired, partial, failed, paidLate, completionRate, volumeUsd, averageUsd } =
    stats.totals;
  return {
    totals: {
      created,
      completed,
      expired,
      partial,
      failed,
      paid_late: paidLate,
      conversion_rate: completionRate,
      volume_usd: volumeUsd,
      average_usd: averageUsd,
    },
    by_status: stats.byStatus,
    by_crypto: Object.fromEntries(stats.byCoin.map((share) => [share.crypto, toShare(share)])),
    by_fiat: Object.fromEntries(
      stats.byCurrency.map((share) => [share.currency, { ...toShare(share), volume: share.volume }]),
    ),
    timeseries: stats.series.map((share) => ({ start: isoTime(share.startsAt), ...toShare(share) })),
    timing: {
      median_seconds_to_first_payment: stats.medianSecondsToFirstPayment,
      median_seconds_to_complete: stats.medianSecondsToComplete,
    },
    usage: { used: usage.used, limit: usage.limit, resets_at: isoTime(usage.resetsAt) },
  };
}

function toShare({ created, completed, volumeUsd }: Omit<StatsTotals, 'volumes'>): Static<typeof StatsShare> {
  return { created, completed, volume_usd: volumeUsd };
}
