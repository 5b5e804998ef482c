import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import {
  type Database,
  isContinued,
  onlyReadable,
  readTransactionHorizon,
  type TransactionHorizon,
  whileDatabaseAnswers,
} from '../db/index.ts';
import { readByIndex } from './by-index.ts';

/** One step of one actor. */
export interface LiveChange {
  readonly kind: string;
  readonly actorId: string;
  readonly sequence: number;
  /** Leaf after it. */
  readonly state: string;
  readonly at: UnixMs;
}

/**
 * A place in the order in which transactions began, as text; everything before it is committed or
 * never will be. It is the same for every process, so a listener may go on at another one.
 */
export type LivePosition = string;

export interface ChangesSince {
  readonly changes: readonly LiveChange[];
  /** Where each of them stands, in the same order. */
  readonly places: readonly number[];
  /** Where to go on. */
  readonly horizon: TransactionHorizon;
  /** There are more than can be sent: what is shown must be read anew. */
  readonly isTooMuch: boolean;
  /**
   * The server is another one, or has lost transactions: earlier positions cannot be compared with
   * this one.
   */
  readonly isAnotherHistory: boolean;
}

/** Changes told one by one at most; whoever has missed more reads everything anew instead. */
export const MAX_CHANGES = 1_000;
/**
 * Transactions that are looked through at most for changes. A stream that ends is asked for again within seconds, so whoever is this far
 * behind has been away for minutes of a busy installation, and would mostly be told to read everything anew; to find that out, all that
 * was written since would have to be read and sorted, which may be years of it.
 */
export const MAX_TRANSACTIONS = 100_000;

/** The horizon of now. */
export function readHorizon(db: Kysely<Database>): Promise<TransactionHorizon> {
  return whileDatabaseAnswers(() => readTransactionHorizon(db));
}

export function formatPosition({ position, history }: TransactionHorizon): LivePosition {
  return `${position}-${history}`;
}

/** A text without a history, as earlier versions gave it, is a position of another one. */
export function parsePosition(text: LivePosition): TransactionHorizon {
  const [, position = '0', history = ''] = /^(-?\d+)(?:-(\d+))?$/.exec(text) ?? [];
  return { position: Number(position), history };
}

/**
 * Every step committed since a position, none left out and none twice. Steps of transactions that
 * still run are sent when they have ended: the horizon stands before the oldest of those, so a long
 * transaction delays what comes after it and never hides it. Of a position too far back, or of
 * another history, nothing is read.
 */
export async function readChangesSince(db: Kysely<Database>, since: TransactionHorizon): Promise<ChangesSince> {
  const horizon = await readHorizon(db);
  const isAnotherHistory = !isContinued(since, horizon);
  const tooMuch = { changes: [], places: [], horizon, isTooMuch: true, isAnotherHistory };
  if (isAnotherHistory || horizon.position - since.position > MAX_TRANSACTIONS) return tooMuch;
  return readByIndex(db, async (trx) => {
    // Whatever stands before the horizon was over when it was read, so this statement sees it all.
    const { rows } = await sql<LiveChange & { place: number }>`
      select kind, actor_id as "actorId", sequence, state, at, inserted_xid as place from journal_entry
      where inserted_xid >= ${since.position}::int8 and inserted_xid < ${horizon.position}::int8
      order by inserted_xid, actor_id, sequence limit ${MAX_CHANGES + 1}`.execute(trx);
    if (rows.length > MAX_CHANGES) return tooMuch;
    const readable = await onlyReadable(trx, rows, ({ actorId }) => ({ actorId, what: 'a journal entry' }));
    const changes = readable.map(({ place: _, ...change }) => change);
    return { changes, places: readable.map(({ place }) => place), horizon, isTooMuch: false, isAnotherHistory };
  });
}

/** Has the newest pages of the journal indexed, which otherwise the next vacuum does; until then they are all read. */
export async function indexNewestPages(db: Kysely<Database>): Promise<void> {
  await whileDatabaseAnswers(() => sql`select index_newest_entries()`.execute(db));
}
