import { type Kysely, sql } from 'kysely';
import { type Database, liftTimeouts } from '../../db/index.ts';
import { groupBy } from '../../group-by.ts';
import { ACTOR_COLUMNS } from '../sql/actors.ts';
import { readJournals } from '../sql/journal.ts';
import type { ActorRow } from '../stored-types.ts';
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
    select ${ACTOR_COLUMNS} from actor where id = any(${ids}::text[]) and version = ${version} and status = 'active'
    order by id ${sql.raw(lock ? 'for update' : '')}`.execute(db);
  const found = rows.map(({ id }) => id);
  const journals = await readJournals(db, found);
  const timers = groupBy(await readTimers(db, found), (timer) => timer.actorId);
  return rows.map((row) => ({ row, journal: journals.get(row.id) ?? [], timers: timers.get(row.id) ?? [] }));
}

// Helpers

async function readTimers(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<(RestingTimer & { readonly actorId: string })[]> {
  const { rows } = await sql<RestingTimer & { readonly actorId: string }>`
    select actor_id as "actorId", name, due_at as "dueAt", gate, height from timer
    where actor_id = any(${ids}::text[])`.execute(db);
  return rows;
}
