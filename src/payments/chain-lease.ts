import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { createMutex } from '../chains/index.ts';
import { type Database, databaseUnavailable } from '../db/index.ts';

/**
 * The right to watch a network, held by one process at a time: a row with an end. Time is the database's, because the
 * clocks of machines differ. A holder does not ask that clock; it counts from the moment it *asked* for its renewal on a clock of
 * its own that never jumps, so it believes to hold the lease for a shorter time than it does.
 *
 * A lease alone is not safe: a process may stand still in the middle of a look and wake up after its lease has ended. What
 * it then writes is refused by its epoch (see `watcher-store.ts`). The lease makes that the exception.
 */
export interface ChainLease {
  /**
   * Takes the lease when it is free, has ended or is held already: true when this holder has it now. Throws a `RetryableError`
   * when the database does not answer soon.
   */
  take(): Promise<boolean>;
  /** Milliseconds for which this holder may go on looking; 0 when it must not look. */
  remainingMs(): number;
  /** Gives the lease back, so that somebody else can take it at once. */
  release(): Promise<void>;
}

export interface ChainLeaseDeps {
  readonly db: Kysely<Database>;
  readonly network: string;
  /** Names this process, and no other one, even after a restart. */
  readonly holder: string;
  readonly leaseMs: number;
  /** Milliseconds on a clock that never jumps; only differences count. */
  readonly monotonicMs?: () => number;
}

/** The part of a lease that its holder uses. The rest is for the look under way to end in. */
const USED_SHARE = 0.7;
/** The part of a lease after which an answer is given up, so that there is time to ask again on another connection. */
const ANSWER_SHARE = 0.3;

export function createChainLease(deps: ChainLeaseDeps): ChainLease {
  const { db, network, holder, leaseMs, monotonicMs = () => performance.now() } = deps;
  let heldUntil = Number.NEGATIVE_INFINITY;
  // Two statements sent at once may arrive in either order, and a renewal must not be undone by an earlier release.
  const inTurn = createMutex();
  // Nor may one that is never answered keep out those that come after it. What is answered too late is not believed.
  const inTime = <T>(answer: Promise<T>) => within(leaseMs * ANSWER_SHARE, answer);

  return {
    take() {
      const askedAt = monotonicMs();
      return inTurn(async () => {
        const { rows } = await inTime(
          sql`
          insert into chain_lease (network, holder, expires_at)
          values (${network}, ${holder}, clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}))
          on conflict (network) do update set holder = excluded.holder, expires_at = excluded.expires_at
            where chain_lease.holder = excluded.holder or chain_lease.expires_at <= clock_timestamp()
          returning network`.execute(db),
        );
        const isMine = rows.length > 0;
        heldUntil = isMine ? askedAt + leaseMs * USED_SHARE : Number.NEGATIVE_INFINITY;
        return isMine;
      });
    },
    remainingMs: () => Math.max(0, heldUntil - monotonicMs()),
    release() {
      heldUntil = Number.NEGATIVE_INFINITY;
      return inTurn(async () => {
        heldUntil = Number.NEGATIVE_INFINITY;
        await inTime(sql`delete from chain_lease where network = ${network} and holder = ${holder}`.execute(db));
      });
    },
  };
}

// Helpers

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const isAnswered = new AbortController();
  const tooLate = sleep(ms, undefined, { signal: isAnswered.signal }).then(
    () => Promise.reject(databaseUnavailable(new Error(`no answer within ${ms} ms`))),
    () => answer,
  );
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    isAnswered.abort();
  }
}
