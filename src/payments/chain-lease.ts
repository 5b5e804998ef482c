import { type Kysely, sql } from 'kysely';
import { createMutex } from '../chains/index.ts';
import type { Database } from '../db/index.ts';

/**
 * The right to watch a network, held by one process at a time: a row with an end. Time is the database's, because the
 * clocks of machines differ. A holder does not ask that clock; it counts from the moment it *asked* for its renewal on a clock of
 * its own that never jumps, so it believes to hold the lease for a shorter time than it does.
 *
 * A lease alone is not safe: a process may stand still in the middle of a look and wake up after its lease has ended. What
 * it then writes is refused by its epoch (see `watcher-store.ts`). The lease makes that the exception.
 */
export interface ChainLease {
  /** Takes the lease when it is free, has ended or is held already: true when this holder has it now. */
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

export function createChainLease(deps: ChainLeaseDeps): ChainLease {
  const { db, network, holder, leaseMs, monotonicMs = () => performance.now() } = deps;
  let heldUntil = Number.NEGATIVE_INFINITY;
  // Two statements sent at once may arrive in either order, and a renewal must not be undone by an earlier release.
  const inTurn = createMutex();

  return {
    take() {
      const askedAt = monotonicMs();
      return inTurn(async () => {
        const { rows } = await sql`
          insert into chain_lease (network, holder, expires_at)
          values (${network}, ${holder}, clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}))
          on conflict (network) do update set holder = excluded.holder, expires_at = excluded.expires_at
            where chain_lease.holder = excluded.holder or chain_lease.expires_at <= clock_timestamp()
          returning network`.execute(db);
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
        await sql`delete from chain_lease where network = ${network} and holder = ${holder}`.execute(db);
      });
    },
  };
}
