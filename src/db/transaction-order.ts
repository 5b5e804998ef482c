import { type Kysely, sql } from 'kysely';

/** Where the order of transaction ids stands. */
export interface TransactionHorizon {
  /** Every transaction with a lower id has ended. */
  readonly position: number;
  /** Names the run of the server that gave the ids: positions of two runs cannot be compared. */
  readonly history: string;
}

/**
 * Reads the horizon of now. Ids go back when a standby that was behind becomes the primary, and
 * when a crash loses transactions whose log was not yet written. No two servers have the same
 * microsecond of start, and a restart has a new one; unlike the system identifier and the timeline,
 * every role may read it at every provider.
 */
export async function readTransactionHorizon<DB>(db: Kysely<DB>): Promise<TransactionHorizon> {
  const { rows } = await sql<TransactionHorizon>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::int8 as position,
      (extract(epoch from pg_postmaster_start_time()) * 1000000)::int8::text as history`.execute(db);
  const [horizon] = rows;
  if (horizon === undefined) throw new Error('the database has returned no horizon');
  return horizon;
}

/** False when what was seen up to `earlier` says nothing about ids below it any more. */
export function isContinued(earlier: TransactionHorizon, now: TransactionHorizon): boolean {
  return earlier.history === now.history && earlier.position <= now.position;
}
