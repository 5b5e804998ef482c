import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../../machines/index.ts';
import { type Database, insertUnnested, unnestRows } from '../../db/index.ts';
import { groupBy } from '../../group-by.ts';
import { pairKey } from '../consequences.ts';
import { jsonText } from '../storable.ts';
import type { JournalEntry } from '../stored-types.ts';
import type { ActorKind, EventCommand, Step } from '../types.ts';
import { readArchivedJournal } from './archive.ts';

/**
 * Returns which of these events were accepted before, by `pairKey`. The actors must be locked. The
 * actor row's `created_at` determines the partition of its journal, so one partition is read per
 * actor, in the round trip that locks them.
 */
export async function findAccepted(
  trx: Transaction<Database>,
  commands: readonly Pick<EventCommand, 'actorId' | 'eventId'>[],
): Promise<Set<string>> {
  if (commands.length === 0) return new Set();
  const keys = commands.map(({ actorId, eventId }) => ({ actor_id: actorId, event_id: eventId }));
  const { rows } = await sql<{ actor_id: string; event_id: string }>`
    select entry.actor_id, entry.event_id
    from ${unnestRows('requested', { text: ['actor_id', 'event_id'] }, keys)}
    join actor on actor.id = requested.actor_id
    join journal_entry entry on entry.actor_id = requested.actor_id and entry.event_id = requested.event_id
      and entry.born = actor.created_at and entry.outcome <> 'failed'`.execute(trx);
  return new Set(rows.map((row) => pairKey(row.actor_id, row.event_id)));
}

/**
 * The SQL of an INSERT of steps into their actors' journals; see `writeSteps`. `createdAtOf`
 * returns an actor's creation time (Unix ms).
 */
export function journalInsert(
  steps: readonly { readonly kind: ActorKind; readonly step: Step }[],
  createdAtOf: (actorId: string) => UnixMs,
): RawBuilder<unknown> {
  const entries = steps.map(({ kind, step }) => ({
    actor_id: step.actorId,
    sequence: step.sequence,
    event_id: step.eventId,
    event_type: step.event.type,
    event: jsonText(step.event),
    outcome: step.outcome,
    state: step.state,
    kind: kind.name,
    version: kind.version,
    at: step.at,
    error: step.error,
    born: createdAtOf(step.actorId),
  }));
  return insertUnnested('journal_entry', ENTRY_COLUMNS, entries);
}

/**
 * Reads the journal of one actor, archived or not, oldest entry first: all of it, or a page after a
 * sequence.
 */
export async function readJournal(
  db: Kysely<Database>,
  actorId: string,
  { after = 0, limit = Number.MAX_SAFE_INTEGER }: { after?: number; limit?: number } = {},
): Promise<JournalEntry[]> {
  const { rows } = await sql<JournalEntry>`
    select ${ENTRY} from journal_entry where ${isOf(actorId)} and sequence > ${after}
    order by sequence limit ${limit}`.execute(db);
  if (rows.length > 0) return rows;
  // Live first: a journal only ever moves to the archive.
  const archived = await readArchivedJournal(db, actorId);
  return archived.filter(({ sequence }) => sequence > after).slice(0, limit);
}

/** Reads the whole journals of live actors, oldest entry first, by actor id. */
export async function readJournals(
  db: Kysely<Database>,
  actorIds: readonly string[],
): Promise<ReadonlyMap<string, readonly JournalEntry[]>> {
  const { rows } = await sql<JournalEntry & { readonly actorId: string }>`
    select actor_id as "actorId", entry.sequence, event_id as "eventId", event, outcome, entry.state, entry.version, at,
      error
    from actor join journal_entry as entry on entry.actor_id = actor.id and entry.born = actor.created_at
    where actor.id = any(${actorIds}::text[]) order by actor_id, entry.sequence`.execute(db);
  return groupBy(rows, ({ actorId }) => actorId);
}

/** Returns the entry of an event that this actor accepted, archived or not; null otherwise. */
export async function findEntry(
  db: Kysely<Database>,
  { actorId, eventId }: Pick<EventCommand, 'actorId' | 'eventId'>,
): Promise<JournalEntry | null> {
  const { rows } = await sql<JournalEntry>`
    select ${ENTRY} from journal_entry
    where ${isOf(actorId)} and event_id = ${eventId} and outcome <> 'failed'`.execute(db);
  if (rows[0] !== undefined) return rows[0];
  const archived = await readArchivedJournal(db, actorId);
  return archived.find((entry) => entry.eventId === eventId && entry.outcome !== 'failed') ?? null;
}

// Helpers

const ENTRY_COLUMNS = {
  text: ['actor_id', 'event_id', 'event_type', 'outcome', 'state', 'kind', 'version', 'error'],
  int8: ['sequence'],
  json: ['event'],
  timestamptz: ['at', 'born'],
} as const;

const ENTRY = sql`sequence, event_id as "eventId", event, outcome, state, version, at, error`;

/** `born` limits the query to one partition. */
function isOf(actorId: string): RawBuilder<boolean> {
  return sql`actor_id = ${actorId} and born = (select created_at from actor where id = ${actorId})`;
}
