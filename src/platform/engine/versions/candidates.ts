import { type Kysely, sql } from 'kysely';
import { type Database, liftTimeouts } from '../../db/index.ts';
import { groupBy } from '../group-by.ts';
import type { ActorRow, JournalEntry } from '../stored.ts';
import type { ActorEvent } from '../types.ts';
import type { Candidate, RestingTimer } from './examine.ts';

/**
 * Returns the next ids of unfinished actors of one kind and version, ordered by id; finished ones
 * never take another step. Scans past all other actors, possibly the whole table, so commands lift
 * the timeouts.
 */
export async function nextIds(
  { db, liftsTimeouts = false }: { readonly db: Kysely<Database>; readonly liftsTimeouts?: boolean },
  { kind, version, after, limit }: { kind: string; version: string; after: string; limit: number },
): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    if (liftsTimeouts) await liftTimeouts(trx);
    const { rows } = await sql<{ id: string }>`
      select id from actor where kind = ${kind} and version = ${version} and status = 'active' and id > ${after}
      order by id limit ${limit}`.execute(trx);
    return rows.map(({ id }) => id);
  });
}

/**
 * Reads these actors with journals and timers, if they still have this version. `lock` locks their
 * rows until the transaction ends, so that the journals and timers read afterwards match.
 */
export async function readCandidates(
  db: Kysely<Database>,
  { ids, version, lock }: { ids: readonly string[]; version: string; lock: boolean },
): Promise<Candidate[]> {
  const { rows } = await sql<ActorRow>`
    select id, kind, version, state, snapshot, sequence, last_change, start_key, clock_offset_ms, created_at, updated_at,
      state_entered_at
    from actor where id = any(${ids}::text[]) and version = ${version} and status = 'active'
    order by id ${sql.raw(lock ? 'for update' : '')}`.execute(db);
  const found = rows.map(({ id }) => id);
  const journals = groupBy(await readJournals(db, found), (entry) => entry.actorId);
  const timers = groupBy(await readTimers(db, found), (timer) => timer.actorId);
  return rows.map((row) => ({ row, journal: journals.get(row.id) ?? [], timers: timers.get(row.id) ?? [] }));
}

// Helpers

/** `born` limits the query to each actor's partition. */
async function readJournals(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<(JournalEntry & { readonly actorId: string })[]> {
  const { rows } = await sql<JournalRow>`
    select entry.actor_id, entry.sequence, event_id, event, outcome, entry.state, entry.version, at, error
    from actor join journal_entry entry on entry.actor_id = actor.id and entry.born = actor.created_at
    where actor.id = any(${ids}::text[]) order by entry.actor_id, entry.sequence`.execute(db);
  return rows.map(({ actor_id, event_id, ...row }) => ({ ...row, actorId: actor_id, eventId: event_id }));
}

type JournalRow = Omit<JournalEntry, 'eventId'> & {
  readonly actor_id: string;
  readonly event_id: string;
  readonly event: ActorEvent;
};

async function readTimers(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<(RestingTimer & { readonly actorId: string })[]> {
  const { rows } = await sql<RestingTimer & { readonly actorId: string }>`
    select actor_id as "actorId", name, due_at as "dueAt", gate, height from timer
    where actor_id = any(${ids}::text[])`.execute(db);
  return rows;
}
