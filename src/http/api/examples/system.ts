import { VERSION } from '../../../platform/version.ts';

/** Health of a service that works, and of one without its database. */
const HEALTH = { service: 'quittance', version: VERSION };

export const HEALTH_RESPONSE = { status: 'ok', ...HEALTH };
export const UNHEALTHY_RESPONSE = { status: 'degraded', ...HEALTH };

export const HEALTH_DETAILS_RESPONSE = {
  status: 'ok',
  ...HEALTH,
  chains: [
    {
      network: 'litecoin-mainnet',
      mode: 'live',
      state: 'watching',
      cursor_height: 2_801_440,
      tip_height: 2_801_440,
      blocks_behind: 0,
      looked_until: '2026-11-21T10:00:00.000Z',
      looked_age_seconds: 4,
      holder: 'pay-1:4711:5d1c9a2b',
      leased_until: '2026-11-21T10:00:30.000Z',
      last_error: null,
      last_error_at: null,
      warnings: [],
      unwatched_assets: [],
      reported_at: '2026-11-21T10:00:02.000Z',
    },
  ],
  stray_payments: 0,
  warnings: [],
};
