import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import {
  type Database,
  isContinued,
  onlyReadable,
  readByIndex,
  readTransactionHorizon,
  type TransactionHorizon,
} from '../../platform/db/index.ts';

/** One step of one actor. */
export interface LiveChange {
  readonly kind: string;
  readonly actorId: string;
  readonly sequence: number;
  /** Leaf state after the step. */
  readonly state: string;
  readonly at: UnixMs;
}

/**
 * A position in the order in which transactions began, as text; every transaction before it has
 * committed or aborted. It is the same in every process, so a listener may resume at another one.
 */
export type LivePosition = string;

export interface ChangesSince {
  readonly changes: readonly LiveChange[];
  /** Database transaction of each change, in the same order. */
  readonly xids: readonly number[];
  /** Position to continue from. */
  readonly horizon: TransactionHorizon;
  /** More changes than can be sent: the listener must reload everything. */
  readonly isTooMuch: boolean;
  /**
   * The database server was replaced or has lost transactions: earlier positions are not
   * comparable with this one.
   */
  readonly isAnotherHistory: boolean;
}

/** Maximum number of changes sent one by one; a listener that missed more reloads everything. */
export const MAX_CHANGES = 1_000;
/**
 * Maximum number of transactions searched for changes. Clients reconnect within seconds, so one
 * this far behind has been away for minutes of a busy installation and would mostly have to reload
 * anyway. To find that out, everything written since, perhaps years of it, would have to be read
 * and sorted.
 */
export const MAX_TRANSACTIONS = 100_000;

export function formatPosition({ position, history }: TransactionHorizon): LivePosition {
  return `${position}-${history}`;
}

/** Parses what `formatPosition` returns. */
export function parsePosition(text: LivePosition): TransactionHorizon {
  const [, position = '0', history = ''] = /^(-?\d+)-(\d+)$/.exec(text) ?? [];
  return { position: Number(position), history };
}

/**
 * Every step committed since a position, each exactly once. Steps of running transactions
 * follow when these have ended: the horizon stays before the oldest of them, so a long
 * transaction delays later steps but never hides them. Reads nothing for a position that is too
 * old or of another history.
 */
export async function readChangesSince(db: Kysely<Database>, since: TransactionHorizon): Promise<ChangesSince> {
  const horizon = await readTransactionHorizon(db);
  const isAnotherHistory = !isContinued(since, horizon);
  const tooMuch = { changes: [], xids: [], horizon, isTooMuch: true, isAnotherHistory };
  if (isAnotherHistory || horizon.position - since.position > MAX_TRANSACTIONS) return tooMuch;
  if (horizon.position === since.position) {
    return { changes: [], xids: [], horizon, isTooMuch: false, isAnotherHistory };
  }
  return readByIndex(db, async (trx) => {
    // All transactions before the horizon had ended when it was read, so this
    // statement sees all of them.
    const { rows } = await sql<LiveChange & { xid: number }>`
      select kind, actor_id as "actorId", sequence, state, at, inserted_xid as xid from journal_entry
      where inserted_xid >= ${since.position}::int8 and inserted_xid < ${horizon.position}::int8
      order by inserted_xid, actor_id, sequence limit ${MAX_CHANGES + 1}`.execute(trx);
    if (rows.length > MAX_CHANGES) return tooMuch;
    const readable = await onlyReadable(trx, rows, ({ actorId }) => ({ actorId, what: 'a journal entry' }));
    const changes = readable.map(({ xid: _, ...change }) => change);
    return { changes, xids: readable.map(({ xid }) => xid), horizon, isTooMuch: false, isAnotherHistory };
  });
}

/**
 * Indexes the newest pages of the journal, which are otherwise scanned in
 * full until the next vacuum.
 */
export async function indexNewestPages(db: Kysely<Database>): Promise<void> {
  await sql`select index_newest_entries()`.execute(db);
}
