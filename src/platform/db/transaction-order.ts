import { type Kysely, sql } from 'kysely';

/** A position in the order of transaction ids. */
export interface TransactionHorizon {
  /** Every transaction with a lower id has ended. */
  readonly position: number;
  /**
   * Identifies the server run that assigned the ids: positions of different runs are not
   * comparable.
   */
  readonly history: string;
}

/**
 * Reads the current horizon. Transaction ids decrease when a lagging standby is promoted, and when
 * a crash loses transactions whose WAL was not flushed. The server start time in microseconds
 * identifies a run: no two servers share it, and a restart changes it. Unlike the system identifier
 * and the timeline, every role can read it at every provider.
 */
export async function readTransactionHorizon<DB>(db: Kysely<DB>): Promise<TransactionHorizon> {
  const { rows } = await sql<TransactionHorizon>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::int8 as position,
      (extract(epoch from pg_postmaster_start_time()) * 1000000)::int8::text as history`.execute(db);
  const [horizon] = rows;
  if (horizon === undefined) throw new Error('the database returned no horizon');
  return horizon;
}

/** False when transactions seen up to `earlier` no longer imply anything about lower ids. */
export function isContinued(earlier: TransactionHorizon, now: TransactionHorizon): boolean {
  return earlier.history === now.history && earlier.position <= now.position;
}
