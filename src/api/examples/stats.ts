/** Two days of the shop in the examples: ten transactions, eight of them paid. */
const DAYS = [
  { start: '2026-11-20T00:00:00.000Z', created: 6, completed: 5, volume_usd: 135 },
  { start: '2026-11-21T00:00:00.000Z', created: 4, completed: 3, volume_usd: 81 },
];
const SHARE = { created: 10, completed: 8, volume_usd: 216 };

export const STATS_ANSWER = {
  success: true,
  data: {
    totals: {
      ...SHARE,
      expired: 1,
      partial: 0,
      failed: 0,
      paid_late: 0,
      conversion_rate: 0.8,
      average_usd: 27,
    },
    by_status: { pending: 1, awaiting_confirmation: 0, completed: 8, partial: 0, expired: 1, failed: 0 },
    by_crypto: { LTC: SHARE },
    by_fiat: { EUR: { ...SHARE, volume: 200 } },
    timeseries: DAYS,
    timing: { median_seconds_to_first_payment: 95, median_seconds_to_complete: 540 },
    usage: { used: 412, limit: 1_000, resets_at: '2026-12-01T00:00:00.000Z' },
  },
};
