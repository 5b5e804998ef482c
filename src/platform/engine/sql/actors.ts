import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Database, insertUnnested, type StoredSnapshot, unnestRows, unreadableIn } from '../../db/index.ts';
import { messageOf, RetryableError } from '../../errors.ts';
import type { LiveActor } from '../fold.ts';
import { jsonText } from '../storable.ts';
import type { ActorRow } from '../stored-types.ts';
import type { ActorKind } from '../types.ts';
import type { KindRegistry } from '../versions/kind-registry.ts';
import { restoreSnapshot } from '../versions/restore-snapshot.ts';
import { findArchivedRow } from './archive.ts';

export const ACTOR_COLUMNS = sql.raw(
  'id, kind, version, state, snapshot, sequence, last_change, start_key, clock_offset_ms, created_at, updated_at, state_entered_at',
);

/** An actor whose chart is not registered here, or whose chart cannot restore its snapshot. */
export interface UnreadableActor {
  readonly id: string;
  readonly state: string;
  readonly reason: string;
}

/**
 * Loads and locks actors until the transaction ends, ordered by id so that two batches cannot
 * deadlock.
 */
export async function lockActors(
  trx: Transaction<Database>,
  kinds: KindRegistry,
  actorIds: readonly string[],
): Promise<{ readable: LiveActor[]; unreadable: UnreadableActor[] }> {
  const readable: LiveActor[] = [];
  const unreadable: UnreadableActor[] = [];
  if (actorIds.length === 0) return { readable, unreadable };
  const { rows } = await sql<ActorRow>`
    select ${ACTOR_COLUMNS} from actor where id = any(${actorIds}::text[]) order by id for update`.execute(trx);
  for (const row of rows) {
    try {
      readable.push(toLiveActor(kinds, row));
    } catch (error) {
      // `CHART_TOO_NEW`: another process can run it, or this one after its upgrade.
      if (error instanceof RetryableError) throw error;
      unreadable.push({ id: row.id, state: row.state, reason: `The actor cannot be read: ${messageOf(error)}` });
    }
  }
  return { readable, unreadable };
}

/**
 * Actors with one of these ids or start keys, including archived ones. One statement, so that an
 * actor being archived is found in one of the two tables.
 */
export async function findStarted(
  trx: Transaction<Database>,
  starts: readonly { readonly actorId: string; readonly startKey: string | null }[],
): Promise<{ id: string; start_key: string | null }[]> {
  if (starts.length === 0) return [];
  const ids = starts.map((start) => start.actorId);
  const keys = starts.flatMap((start) => start.startKey ?? []);
  const { rows } = await sql<{ id: string; start_key: string | null }>`
    select id, start_key from actor where id = any(${ids}::text[])
    union select id, start_key from actor where start_key = any(${keys}::text[])
    union select id, start_key from archived_actor where id = any(${ids}::text[])
    union select id, start_key from archived_actor where start_key = any(${keys}::text[])`.execute(trx);
  return rows;
}

/**
 * Inserts new actors. Returns how many were inserted: fewer than given means that another process
 * inserted one first.
 */
export async function insertActors(trx: Transaction<Database>, actors: readonly LiveActor[]): Promise<number> {
  if (actors.length === 0) return 0;
  const { rows } = await sql<{ id: string }>`
    ${insertUnnested('actor', INSERTED_COLUMNS, actors.map(rowOf))}
    order by start_key, id on conflict do nothing returning id`.execute(trx);
  return rows.length;
}

/** The SQL of an UPDATE of locked actors; see `writeSteps`. */
export function actorUpdate(actors: readonly LiveActor[]): RawBuilder<unknown> {
  return sql`
    update actor set version = next.version, state = next.state, status = next.status, snapshot = next.snapshot,
      sequence = next.sequence, last_change = next.last_change, updated_at = next.updated_at,
      state_entered_at = next.state_entered_at
    from ${unnestRows('next', CHANGING_COLUMNS, actors.map(rowOf))}
    where actor.id = next.id`;
}

/** Reads one actor without a lock, archived or not; null when there is none. */
export async function findActorRow(db: Kysely<Database>, actorId: string): Promise<ActorRow | null> {
  const { rows } = await sql<ActorRow>`
    select ${ACTOR_COLUMNS} from actor where id = ${actorId}`.execute(db);
  // Live first: an actor only ever moves from `actor` to the archive, so it is found in one of the
  // two.
  return rows[0] ?? findArchivedRow(db, actorId);
}

/**
 * Converts a row to an actor that can be folded. Throws `RangeError` for an unreadable value,
 * `CHART_UNKNOWN` or `CHART_TOO_NEW`, or what XState throws for a state the chart no longer has.
 */
export function toLiveActor(kinds: KindRegistry, row: ActorRow): LiveActor {
  const unreadable = unreadableIn(row);
  if (unreadable !== null) throw new RangeError(unreadable);
  return liveActorOf(kinds.get(row.kind, row.version), row);
}

/** As `toLiveActor`, with this chart and for a readable row. */
export function liveActorOf(kind: ActorKind, row: ActorRow): LiveActor {
  return {
    id: row.id,
    kind,
    startKey: row.start_key,
    clockOffsetMs: row.clock_offset_ms,
    createdAt: row.created_at,
    snapshot: restoreSnapshot(kind, row.snapshot),
    state: row.state,
    sequence: row.sequence,
    lastChange: row.last_change,
    updatedAt: row.updated_at,
    stateEnteredAt: row.state_entered_at,
    isNew: false,
  };
}

// Helpers

const CHANGING_COLUMNS = {
  text: ['id', 'version', 'state', 'status'],
  json: ['snapshot'],
  int8: ['sequence', 'last_change'],
  timestamptz: ['updated_at', 'state_entered_at'],
} as const;
const INSERTED_COLUMNS = {
  ...CHANGING_COLUMNS,
  text: [...CHANGING_COLUMNS.text, 'kind', 'start_key'],
  timestamptz: [...CHANGING_COLUMNS.timestamptz, 'created_at'],
} as const;

function rowOf(actor: LiveActor) {
  const { value, context, status } = actor.snapshot;
  return {
    id: actor.id,
    kind: actor.kind.name,
    version: actor.kind.version,
    state: actor.state,
    status: status === 'active' ? 'active' : 'done',
    // The fields that `restoreSnapshot` needs.
    snapshot: jsonText({ value, context, status } satisfies StoredSnapshot),
    sequence: actor.sequence,
    last_change: actor.lastChange,
    start_key: actor.startKey,
    created_at: actor.createdAt,
    updated_at: actor.updatedAt,
    state_entered_at: actor.stateEnteredAt,
  };
}
