import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Database, databaseUnavailable } from '../../platform/db/index.ts';
import { createMutex } from '../../platform/mutex.ts';

/**
 * A lease on watching a network, held by one process at a time: a row with an expiry. Expiry goes
 * by the database's clock, because the clocks of machines differ. The holder does not read that
 * clock; it counts from when it *sent* its renewal, on its own monotonic clock, so it
 * underestimates how long it holds the lease.
 *
 * A lease alone is not safe: a process may pause in the middle of a poll and resume after its lease
 * has expired. Its writes are then rejected by the fencing epoch (see `watcher-store.ts`). The
 * lease makes that rare.
 */
export interface ChainLease {
  /**
   * Acquires the lease if it is free, expired or already held: true when this holder has it now.
   * Throws a `RetryableError` when the database does not respond in time.
   */
  take(): Promise<boolean>;
  /** Milliseconds for which this holder may keep polling; 0 when it must not poll. */
  remainingMs(): number;
  /** Releases the lease, so that another process can take it immediately. */
  release(): Promise<void>;
}

export interface ChainLeaseDeps {
  readonly db: Kysely<Database>;
  readonly network: string;
  /** Unique to this process, even across restarts. */
  readonly holder: string;
  readonly leaseMs: number;
  /** Milliseconds on a monotonic clock; only differences count. */
  readonly monotonicMs?: () => number;
}

/** The share of a lease that its holder uses. The rest lets the current poll finish. */
const USED_SHARE = 0.7;
/** The share of a lease after which a query is abandoned, to leave time for another connection. */
const RESPONSE_SHARE = 0.3;

export function createChainLease(deps: ChainLeaseDeps): ChainLease {
  const { db, network, holder, leaseMs, monotonicMs = () => performance.now() } = deps;
  let heldUntil = Number.NEGATIVE_INFINITY;
  // Concurrent statements may arrive in either order, and an earlier release must not undo a
  // renewal.
  const exclusively = createMutex();
  // A statement without a response must not block later ones. Late responses are discarded.
  const inTime = <T>(response: Promise<T>) => within(leaseMs * RESPONSE_SHARE, response);

  return {
    take() {
      const requestedAt = monotonicMs();
      return exclusively(async () => {
        const { rows } = await inTime(
          sql`
          insert into chain_lease (network, holder, expires_at)
          values (${network}, ${holder}, clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}))
          on conflict (network) do update set holder = excluded.holder, expires_at = excluded.expires_at
            where chain_lease.holder = excluded.holder or chain_lease.expires_at <= clock_timestamp()
          returning network`.execute(db),
        );
        const isMine = rows.length > 0;
        heldUntil = isMine ? requestedAt + leaseMs * USED_SHARE : Number.NEGATIVE_INFINITY;
        return isMine;
      });
    },
    remainingMs: () => Math.max(0, heldUntil - monotonicMs()),
    release() {
      heldUntil = Number.NEGATIVE_INFINITY;
      return exclusively(async () => {
        heldUntil = Number.NEGATIVE_INFINITY;
        await inTime(sql`delete from chain_lease where network = ${network} and holder = ${holder}`.execute(db));
      });
    },
  };
}

// Helpers

async function within<T>(ms: number, response: Promise<T>): Promise<T> {
  const hasResponse = new AbortController();
  const tooLate = sleep(ms, undefined, { signal: hasResponse.signal }).then(
    () => Promise.reject(databaseUnavailable(new Error(`no response within ${ms} ms`))),
    () => response,
  );
  try {
    return await Promise.race([response, tooLate]);
  } finally {
    hasResponse.abort();
  }
}
