import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../clock.ts';
import { type Database, unreadableIn } from '../db/index.ts';
import { messageOf } from '../errors.ts';
import { foldJournal } from './replay.ts';
import { ACTOR_COLUMNS } from './sql/actors.ts';
import { type DoneActor, moveToArchive } from './sql/archive.ts';
import { readJournals } from './sql/journal.ts';
import { planByIndex } from './sql/plan.ts';
import type { ActorRow, JournalEntry } from './stored-types.ts';
import type { KindRegistry } from './versions/kind-registry.ts';

/** Points where a crash would lose or duplicate data if the move were not one commit. */
export const ARCHIVE_CRASH_POINTS = ['archive.before_move', 'archive.before_commit', 'archive.after_commit'] as const;
export type ArchiveCrashPoint = (typeof ARCHIVE_CRASH_POINTS)[number];

export interface ArchiveDeps {
  readonly db: Kysely<Database>;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly crash?: (point: ArchiveCrashPoint) => void;
}

export interface ArchiveRequest {
  /** Final states, by kind. */
  readonly leaves: readonly { readonly kind: string; readonly state: string }[];
  /** Actors that finished before this time are moved. */
  readonly before: UnixMs;
  /**
   * Maximum number of actors to examine. They are locked only for the one statement that moves
   * them.
   */
  readonly limit: number;
  /** Ids to skip. */
  readonly except: readonly string[];
}

export interface ArchivedBatch {
  readonly archived: number;
  /** Actors that are not moved because folding their journal does not give their snapshot. */
  readonly unsound: readonly { readonly id: string; readonly reason: string }[];
  /** True when `limit` actors were found: there may be more. */
  readonly isMore: boolean;
}

/**
 * Moves finished actors to the archive, the earliest finished first. Each journal must be complete
 * and must fold to the stored snapshot. Any number of processes may run this concurrently; after a
 * crash each actor is either live or archived, never both.
 */
export async function archiveDone(deps: ArchiveDeps, request: ArchiveRequest): Promise<ArchivedBatch> {
  const { db, kinds, clock, crash = () => {} } = deps;
  const found = await readDone(db, request);
  const sound: DoneActor[] = [];
  const unsound: { id: string; reason: string }[] = [];
  for (const { row, journal } of found) {
    const reason = findUnsoundness(kinds, row, journal);
    if (reason === null) sound.push({ id: row.id, sequence: row.sequence });
    else unsound.push({ id: row.id, reason });
  }
  crash('archive.before_move');
  let archived = 0;
  if (sound.length > 0) {
    await db.transaction().execute(async (trx) => {
      archived = (await moveToArchive(trx, sound, clock.now())).length;
      crash('archive.before_commit');
    });
  }
  crash('archive.after_commit');
  return { archived, unsound, isMore: found.length === request.limit };
}

// Helpers

interface FoundActor {
  readonly row: ActorRow;
  readonly journal: readonly JournalEntry[];
}

/** Reads actors and journals in one database snapshot, without locks. */
function readDone(db: Kysely<Database>, { leaves, before, limit, except }: ArchiveRequest): Promise<FoundActor[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await planByIndex(trx);
      const { rows } = await sql<ActorRow>`
        select found.* from unnest(
          ${leaves.map(({ kind }) => kind)}::text[], ${leaves.map(({ state }) => state)}::text[]
        ) as leaf (of_kind, in_state) cross join lateral (
          select ${ACTOR_COLUMNS} from actor
          where actor.kind = leaf.of_kind and actor.state = leaf.in_state and state_entered_at < ${new Date(before)}
            and status = 'done' and id <> all(${except}::text[])
          order by state_entered_at, id limit ${limit}
        ) as found limit ${limit}`.execute(trx);
      const journals = await readJournals(
        trx,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => ({ row, journal: journals.get(row.id) ?? [] }));
    });
}

/** Why an actor must not be moved; null when it may be. */
function findUnsoundness(kinds: KindRegistry, row: ActorRow, journal: readonly JournalEntry[]): string | null {
  const unreadable = unreadableIn(row);
  if (unreadable !== null) return `its row is unreadable: ${unreadable}`;
  const isWhole = journal.length === row.sequence && journal.every(({ sequence }, index) => sequence === index + 1);
  if (!isWhole) return `its journal has ${journal.length} of ${row.sequence} entries`;
  try {
    const folded = foldJournal(kinds.get(row.kind, row.version).machine, journal);
    return isDeepStrictEqual(folded, row.snapshot) ? null : 'its journal does not lead to its snapshot';
  } catch (error) {
    return `its journal cannot be folded: ${messageOf(error)}`;
  }
}
