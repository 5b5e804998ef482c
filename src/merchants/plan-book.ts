import type { Kysely } from 'kysely';
import { SECOND_MS, type UnixMs } from '../../machines/index.ts';
import type { Clock } from '../clock.ts';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';

/** How many requests are taken in each of the two windows, which run at once. */
export interface RequestLimits {
  readonly perMinute: number;
  readonly perHour: number;
}

/** What a plan allows of the keys of its merchants. */
export interface KeyTerms {
  readonly requests: RequestLimits;
  /** Whether keys can be tied to addresses. */
  readonly ipWhitelist: boolean;
}

export interface PlanBook {
  /** For requests that carry no valid key, counted per address. */
  readonly anonymous: RequestLimits;
  /** False while plans are off: answers show the numbers of keys all the same, and no request is counted against them. */
  readonly limitsKeys?: boolean;
  /** A plan nobody knows has the terms of starter. Rejects with `RetryableError` without database. */
  termsOf(plan: string): Promise<KeyTerms>;
}

/** The numbers of the interface, which the database is seeded with. */
export const INTERFACE_TERMS = {
  starter: { requests: { perMinute: 30, perHour: 500 }, ipWhitelist: false },
  business: { requests: { perMinute: 100, perHour: 2_000 }, ipWhitelist: false },
  professional: { requests: { perMinute: 300, perHour: 5_000 }, ipWhitelist: true },
  enterprise: { requests: { perMinute: 1_000, perHour: 20_000 }, ipWhitelist: true },
} as const satisfies Readonly<Record<string, KeyTerms>>;

/** What an operator changes in a plan holds everywhere after this long. */
const KEPT_FOR_MS = 10 * SECOND_MS;

/**
 * The plans as they are in the database. They change once a year, so every process keeps them for some seconds. While plans
 * are off, everybody has the terms of enterprise.
 */
export function createPlanBook({ db, clock, plansEnabled = true }: PlanBookDeps): PlanBook {
  let kept: { readonly terms: Promise<ReadonlyMap<string, KeyTerms>>; readonly until: UnixMs } | null = null;

  return {
    anonymous: INTERFACE_TERMS.starter.requests,
    limitsKeys: plansEnabled,
    async termsOf(plan) {
      const now = clock.now();
      if (kept === null || now >= kept.until) {
        const reading = { terms: whileDatabaseAnswers(() => readTerms(db)), until: now + KEPT_FOR_MS };
        kept = reading;
        // What failed is asked again by the next request.
        reading.terms.catch(() => {
          if (kept === reading) kept = null;
        });
      }
      return (await kept.terms).get(plansEnabled ? plan : 'enterprise') ?? INTERFACE_TERMS.starter;
    },
  };
}

// Helpers

interface PlanBookDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  /** On when it is left out. */
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
