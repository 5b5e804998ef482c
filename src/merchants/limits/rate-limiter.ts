import type { Kysely } from 'kysely';
import { HOUR_MS, MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createBatchedLookup, type Database } from '../../platform/db/index.ts';
import { RetryableError } from '../../platform/errors.ts';
import type { RequestLimits } from './plan-cache.ts';
import { type Counted, countRequests, deleteOldRequestCounts } from './request-windows.ts';

/** State of the minute window after a request, and whether the request is admitted. */
export interface RateVerdict {
  readonly limit: number;
  /** Requests left in the minute window. */
  readonly remaining: number;
  /** When the minute window ends. */
  readonly resetAt: UnixMs;
  /** Null for an admitted request. */
  readonly rejection: RateRejection | null;
}

export interface RateRejection {
  /** The exhausted window; the hour when both are. */
  readonly window: 'minute' | 'hour';
  readonly limit: number;
  /** Milliseconds until that window ends. */
  readonly retryAfterMs: number;
}

export interface RateLimiter {
  /**
   * Counts one request. Without a database the request is admitted and not counted: rate limits
   * must not cause an outage.
   */
  count(subject: string, limits: RequestLimits): Promise<RateVerdict>;
  /** The verdict on a request that is not counted. */
  uncounted(limits: RequestLimits): RateVerdict;
}

/**
 * Counts requests in the database, so that the limits hold across processes. Windows are fixed
 * clock minutes and hours. Requests in the same turn of the event loop share one statement.
 */
export function createRateLimiter({ db, clock }: { db: Kysely<Database>; clock: Clock }): RateLimiter {
  // A batched lookup merges equal keys; a count must not, so each request gets a unique key.
  const waiting = new Map<string, Request>();
  let latestKey = 0;
  let deletedHour = Number.NaN;

  async function countAll(keys: readonly string[]): Promise<Map<string, RateVerdict>> {
    const now = clock.now();
    const groups = groupBySubject(take(waiting, keys));
    const requests = [...groups].map(([subject, { limits, keys: same }]) => ({
      subject,
      requested: same.length,
      ...limits,
    }));
    const counted = await countRequests(db, requests, windowsAt(now));
    return new Map(
      counted.flatMap((row) => {
        const { limits = null, keys: same = [] } = groups.get(row.subject) ?? {};
        return limits === null ? [] : same.map((key, index) => [key, verdictOn(row, limits, index, now)] as const);
      }),
    );
  }

  const verdictOf = createBatchedLookup((keys) => countAll(keys));

  /** Once an hour, during the first request of that hour. */
  function deleteOld(): void {
    const { hour } = windowsAt(clock.now());
    if (hour === deletedHour) return;
    deletedHour = hour;
    // Rows left behind by a failure are deleted in the next hour.
    deleteOldRequestCounts(db, hour).catch(() => {});
  }

  function uncounted({ perMinute }: RequestLimits): RateVerdict {
    return { limit: perMinute, remaining: perMinute, resetAt: endOfMinute(windowsAt(clock.now())), rejection: null };
  }

  return {
    uncounted,
    async count(subject, limits) {
      deleteOld();
      latestKey += 1;
      const key = String(latestKey);
      waiting.set(key, { key, subject, limits });
      try {
        return (await verdictOf(key)) ?? uncounted(limits);
      } catch (error) {
        if (error instanceof RetryableError) return uncounted(limits);
        throw error;
      }
    },
  };
}

// Helpers

interface Request {
  readonly key: string;
  readonly subject: string;
  readonly limits: RequestLimits;
}

type Windows = Pick<Counted, 'minute' | 'hour'>;

function windowsAt(now: UnixMs): Windows {
  return { minute: Math.floor(now / MINUTE_MS), hour: Math.floor(now / HOUR_MS) };
}

function endOfMinute({ minute }: Pick<Windows, 'minute'>): UnixMs {
  return (minute + 1) * MINUTE_MS;
}

function take(waiting: Map<string, Request>, keys: readonly string[]): Request[] {
  return keys.flatMap((key) => {
    const request = waiting.get(key);
    waiting.delete(key);
    return request === undefined ? [] : [request];
  });
}

/** In order of arrival. If limits changed in between, the newest apply. */
function groupBySubject(requests: readonly Request[]): Map<string, { limits: RequestLimits; keys: string[] }> {
  const groups = new Map<string, { limits: RequestLimits; keys: string[] }>();
  for (const { key, subject, limits } of requests) {
    const keys = groups.get(subject)?.keys ?? [];
    keys.push(key);
    groups.set(subject, { limits, keys });
  }
  return groups;
}

/** The verdict on request number `index` of its subject; the first `admitted` were admitted. */
function verdictOn(counted: Counted, { perMinute, perHour }: RequestLimits, index: number, now: UnixMs): RateVerdict {
  const { minute, hour, inMinute, inHour, admitted } = counted;
  const resetAt = endOfMinute({ minute });
  const isTaken = index < admitted;
  const inMinuteThen = isTaken ? inMinute - admitted + index + 1 : inMinute;
  const remaining = Math.max(0, perMinute - inMinuteThen);
  if (isTaken) return { limit: perMinute, remaining, resetAt, rejection: null };
  const rejection =
    inHour >= perHour
      ? { window: 'hour' as const, limit: perHour, retryAfterMs: (hour + 1) * HOUR_MS - now }
      : { window: 'minute' as const, limit: perMinute, retryAfterMs: resetAt - now };
  return { limit: perMinute, remaining, resetAt, rejection };
}
