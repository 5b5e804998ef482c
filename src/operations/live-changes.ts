import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';
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
 * A place in the order in which transactions began; everything before it is committed or never will be. It is the same for every
 * process, so a listener may go on at another one.
 */
export type LivePosition = number;

export interface ChangesSince {
  readonly changes: readonly LiveChange[];
  /** Where each of them stands, in the same order. */
  readonly places: readonly LivePosition[];
  /** Where to go on. */
  readonly position: LivePosition;
  /** There are more than can be told: what is shown must be read anew. */
  readonly isTooMuch: boolean;
}

/** Changes told one by one at most; whoever has missed more reads everything anew instead. */
export const MAX_CHANGES = 1_000;

/** The position of now. */
export async function readPosition(db: Kysely<Database>): Promise<LivePosition> {
  const { rows } = await whileDatabaseAnswers(() =>
    sql<{ position: number }>`select ${horizon} as position`.execute(db),
  );
  return rows[0]?.position ?? 0;
}

/**
 * Every step committed since a position, none left out and none twice. Steps of transactions that still run are told when they have
 * ended: the horizon stands before the oldest of those, so a long transaction delays what comes after it and never hides it.
 */
export async function readChangesSince(db: Kysely<Database>, since: LivePosition): Promise<ChangesSince> {
  return readByIndex(db, async (trx) => {
    const { rows } = await sql<LiveChange & { place: number; position: number }>`
      select kind, actor_id as "actorId", sequence, state, at, inserted_xid as place, position
      from (select ${horizon} as position) as bounds
      left join journal_entry on inserted_xid >= ${since}::int8 and inserted_xid < position
      order by inserted_xid, actor_id, sequence limit ${MAX_CHANGES + 1}`.execute(trx);
    const position = Math.max(since, rows[0]?.position ?? since);
    if (rows.length > MAX_CHANGES) return { changes: [], places: [], position, isTooMuch: true };
    const found = rows.filter(({ actorId }) => actorId !== null);
    const changes = found.map(({ place: _, position: __, ...change }) => change);
    return { changes, places: found.map(({ place }) => place), position, isTooMuch: false };
  });
}

/** Has the newest pages of the journal indexed, which otherwise the next vacuum does; until then they are all read. */
export async function indexNewestPages(db: Kysely<Database>): Promise<void> {
  await whileDatabaseAnswers(() => sql`select index_newest_entries()`.execute(db));
}

// Helpers

const horizon = sql`pg_snapshot_xmin(pg_current_snapshot())::text::int8`;
