import type { Kysely } from 'kysely';
import { SECOND_MS, type UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';

/** Requests allowed in each of two concurrent windows. */
export interface RequestLimits {
  readonly perMinute: number;
  readonly perHour: number;
}

/** What a plan allows the keys of its merchants. */
export interface KeyTerms {
  readonly requests: RequestLimits;
  /** Whether keys can be restricted to source addresses. */
  readonly ipWhitelist: boolean;
}

export interface PlanCache {
  /** For requests without a valid key, counted per address. */
  readonly anonymous: RequestLimits;
  /** False with plans disabled: responses still state key limits, but none is enforced. */
  readonly limitsKeys?: boolean;
  /**
   * Terms of a plan, or of starter for an unknown one. Rejects with `RetryableError` without a
   * database.
   */
  termsOf(plan: string): Promise<KeyTerms>;
}

/** The numbers of the interface, which the database is seeded with. */
export const INTERFACE_TERMS = {
  starter: { requests: { perMinute: 30, perHour: 500 }, ipWhitelist: false },
  business: { requests: { perMinute: 100, perHour: 2_000 }, ipWhitelist: false },
  professional: { requests: { perMinute: 300, perHour: 5_000 }, ipWhitelist: true },
  enterprise: { requests: { perMinute: 1_000, perHour: 20_000 }, ipWhitelist: true },
} as const satisfies Readonly<Record<string, KeyTerms>>;

/** An operator's change to a plan takes effect everywhere within this time. */
const KEPT_FOR_MS = 10 * SECOND_MS;

/**
 * Plans as stored in the database, cached per process for some seconds: they change about once a
 * year. With plans disabled, every merchant has the terms of enterprise.
 */
export function createPlanCache({ db, clock, plansEnabled = true }: PlanCacheDeps): PlanCache {
  let kept: { readonly terms: Promise<ReadonlyMap<string, KeyTerms>>; readonly until: UnixMs } | null = null;

  return {
    anonymous: INTERFACE_TERMS.starter.requests,
    limitsKeys: plansEnabled,
    async termsOf(plan) {
      const now = clock.now();
      if (kept === null || now >= kept.until) {
        const reading = { terms: readTerms(db), until: now + KEPT_FOR_MS };
        kept = reading;
        // A failed read is retried by the next request.
        reading.terms.catch(() => {
          if (kept === reading) kept = null;
        });
      }
      return (await kept.terms).get(plansEnabled ? plan : 'enterprise') ?? INTERFACE_TERMS.starter;
    },
  };
}

// Helpers

interface PlanCacheDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  /** Defaults to true. */
  readonly plansEnabled?: boolean;
}

async function readTerms(db: Kysely<Database>): Promise<Map<string, KeyTerms>> {
  const rows = await db
    .selectFrom('plan')
    .select(['tier', 'ip_whitelist', 'api_rate_limit_per_minute', 'api_rate_limit_per_hour'])
    .execute();
  return new Map(
    rows.map((row) => [
      row.tier,
      {
        requests: { perMinute: row.api_rate_limit_per_minute, perHour: row.api_rate_limit_per_hour },
        ipWhitelist: row.ip_whitelist,
      },
    ]),
  );
}
