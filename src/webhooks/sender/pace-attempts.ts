import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { closedError } from './make-attempt.ts';

/**
 * Spaces the attempts of endpoints with a rate limit. The next free moment of an endpoint is in its
 * row, so the limit holds for all processes together, by the database clock.
 */
export interface AttemptPacer {
  /** Whether the endpoint had a limit at its last attempt of this process. */
  isLimited(endpointId: string): boolean;
  /**
   * Reserves the endpoint's next free moment and waits for it. Returns immediately without a limit.
   * Rejects with a `RetryableError` `SENDER_CLOSED` when the sender closes in between; the moment
   * is then left unused.
   */
  waitForTurn(endpointId: string, maxPerSecond: number | null): Promise<void>;
  close(): void;
}

export function createAttemptPacer(db: Kysely<Database>): AttemptPacer {
  const limited = new Set<string>();
  const closing = new AbortController();
  return {
    isLimited: (endpointId) => limited.has(endpointId),
    async waitForTurn(endpointId, maxPerSecond) {
      if (maxPerSecond === null) {
        limited.delete(endpointId);
        return;
      }
      limited.add(endpointId);
      const waitMs = await takeTurn(db, endpointId);
      if (waitMs <= 0) return;
      await sleep(Math.ceil(waitMs), undefined, { signal: closing.signal }).catch(() => {
        throw closedError();
      });
    },
    close: () => closing.abort(),
  };
}

// Helpers

/** How long until the reserved moment, in ms; 0 when the limit was removed in between. */
async function takeTurn(db: Kysely<Database>, endpointId: string): Promise<number> {
  const { rows } = await sql<{ wait_ms: number }>`
    update webhook_endpoint
    set paced_until = greatest(paced_until, clock_timestamp()) + interval '1 second' / max_per_second
    where id = ${endpointId} and max_per_second is not null
    returning extract(
      epoch from paced_until - interval '1 second' / max_per_second - clock_timestamp()
    )::float8 * 1000 as wait_ms`.execute(db);
  return rows[0]?.wait_ms ?? 0;
}
