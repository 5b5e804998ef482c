import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import type { ActorRow, JournalEntry } from '../stored-types.ts';

/** A relation of all actors, live and archived, with the columns of `actor`. */
export const storedActors: RawBuilder<unknown> = sql`(
  select id, kind, version, state, status, snapshot, sequence, clock_offset_ms, start_key, created_at, updated_at,
    state_entered_at from actor
  union all
  select id, kind, version, state, 'done', snapshot, sequence, clock_offset_ms, start_key, created_at, updated_at,
    state_entered_at from actor_archive)`;

/**
 * A lateral subquery with `state`, `status`, `sequence` and `clock_offset_ms` of one actor,
 * archived or not. For a live actor it reads only `actor`: `limit 1` stops before the archive.
 */
export function currentStateOf(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select state, status, sequence, clock_offset_ms from actor where id = ${id}
    union all select state, 'done', sequence, clock_offset_ms from archived_actor where id = ${id}
    limit 1)`;
}

/**
 * How far the actor's clock is ahead of wall-clock time, in ms; archived or not. Throws when there
 * is no such actor.
 */
export async function readClockOffset(db: Kysely<Database>, actorId: string): Promise<number> {
  const { rows } = await sql<{ clock_offset_ms: number }>`
    select clock_offset_ms from ${currentStateOf(sql`${actorId}`)} as actor`.execute(db);
  if (rows[0] === undefined) throw new Error(`actor ${actorId} does not exist`);
  return rows[0].clock_offset_ms;
}

/** The final state of each of these actors that is archived; others are left out. */
export async function findArchived(
  trx: Transaction<Database>,
  actorIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (actorIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; state: string }>`
    select id, state from archived_actor where id = any(${actorIds}::text[])`.execute(trx);
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** Reads one archived actor; null when there is none with this id. */
export async function findArchivedRow(db: Kysely<Database>, actorId: string): Promise<ActorRow | null> {
  const { rows } = await sql<ActorRow>`
    select kept.id, kept.kind, version, kept.state, snapshot, kept.sequence, last_change, kept.start_key, kept.clock_offset_ms,
      kept.created_at, updated_at, state_entered_at
    from ${archivedActor(actorId)}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Reads the whole journal of an archived actor, oldest entry first; empty when there is none with
 * this id.
 */
export async function readArchivedJournal(db: Kysely<Database>, actorId: string): Promise<JournalEntry[]> {
  const { rows } = await sql<{ journal: Uint8Array }>`
    select journal from ${archivedActor(actorId)}`.execute(db);
  return rows[0] === undefined ? [] : unpackJournal(rows[0].journal);
}

/** An actor and the sequence it had when it was examined. */
export interface DoneActor {
  readonly id: string;
  readonly sequence: number;
}

/**
 * Moves finished actors and their journals to the archive in one statement. Runs with the rights of
 * the table owner, because the service's role may not delete journals. Returns the ids of the moved
 * actors: one that has changed since it was examined, or is locked, stays. Rejects when a journal
 * has fewer entries than its actor has steps.
 */
export async function moveToArchive(
  trx: Transaction<Database>,
  done: readonly DoneActor[],
  now: UnixMs,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select archive_actors(${done.map(({ id }) => id)}::text[], ${done.map(({ sequence }) => sequence)}::int8[],
      ${new Date(now)}) as id`.execute(trx);
  return rows.map(({ id }) => id);
}

/**
 * Decodes the journal of an archived actor: a byte that names the format, and JSON as the database
 * writes it from the rows it deletes (`archive_actors`), so that it need not trust the service.
 * Throws for any other format.
 */
export function unpackJournal(bytes: Uint8Array): JournalEntry[] {
  if (bytes[0] !== JSON_TEXT) throw new Error(`an archived journal has the unknown format ${bytes[0]}`);
  const rows = JSON.parse(Buffer.from(bytes.subarray(1)).toString()) as readonly (readonly unknown[])[];
  return rows.map(
    (row) => Object.fromEntries(FIELDS.map((field, index) => [field, row[index]])) as unknown as JournalEntry,
  );
}

// Helpers

/** The directory row names the partition of the archive. */
function archivedActor(actorId: string): RawBuilder<unknown> {
  return sql`archived_actor as named
    join actor_archive as kept on kept.id = named.id and kept.created_at = named.created_at
    where named.id = ${actorId}`;
}

const JSON_TEXT = 2;

/** In order: fields may be appended, never reordered. */
const FIELDS = [
  'sequence',
  'eventId',
  'event',
  'outcome',
  'state',
  'version',
  'at',
  'error',
] as const satisfies readonly (keyof JournalEntry)[];
