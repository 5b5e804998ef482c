import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type ListPosition, readCursor, writeCursor } from '../../platform/cursor.ts';
import { type Database, onlyReadable, readByIndex } from '../../platform/db/index.ts';
import { storedActors } from '../../platform/engine/index.ts';
import type { ActorFilter, ActorPage } from '../types.ts';
import { actorColumns, readSubjectsOf, type StoredActorRow, toListedActor } from './actor-rows.ts';
import { finalLeavesOf, leavesOf } from './charts.ts';
import { dwellLimitMs } from './dwell-limits.ts';
import { type OperationsDeps, readCounts } from './population.ts';
import { actorPredicate, isCounted } from './predicate.ts';

export interface ActorListRequest {
  readonly filter: ActorFilter;
  /** As the previous page returned it; null for the first page. */
  readonly cursor: string | null;
  readonly limit: number;
}

export const MAX_ACTORS_PER_PAGE = 200;

/**
 * A page of the actors that match a filter, those longest in their state first. Keyset
 * pagination: a late page costs no more than the first. Throws `UNKNOWN_KIND`,
 * `UNKNOWN_STATE` and `INVALID_CURSOR`.
 */
export async function listActors(deps: OperationsDeps, request: ActorListRequest): Promise<ActorPage> {
  const { db, kinds, clock } = deps;
  const { filter } = request;
  const leaves = leavesOf(kinds, filter.kind, filter.state).filter(
    (leaf) => filter.isOverdue !== true || dwellLimitMs(filter.kind, leaf) !== null,
  );
  const after = request.cursor === null ? null : readCursor(request.cursor);
  const limit = Math.min(request.limit, MAX_ACTORS_PER_PAGE);
  const source = leaves.some((leaf) => finalLeavesOf(kinds, filter.kind).includes(leaf)) ? storedActors : sql`actor`;
  const requested = { filter, leaves, source, now: clock.now() };
  const page = { ...requested, after, limit: limit + 1 };
  const [rows, total] = isBroad(filter)
    ? await readByIndex(db, async (trx) => [await readPage(trx, page), await countActors(trx, requested)] as const)
    : await Promise.all([readPage(db, page), countActors(db, requested)]);
  const actors = rows.slice(0, limit);
  const last = actors.at(-1);
  const cursor = rows.length > limit && last !== undefined ? writeCursor({ us: last.since_us, id: last.id }) : null;
  const readable = await onlyReadable(db, actors, ({ id }) => ({ actorId: id, what: 'an actor in lists' }));
  const ids = readable.map(({ id }) => id);
  const subjects = await readSubjectsOf(db, filter.kind, ids);
  return { actors: readable.map(({ since_us: _, ...row }) => toListedActor(row, subjects)), total, cursor };
}

// Helpers

/** Filters that may match a large part of a table, which the planner would scan to count them. */
function isBroad({ isOverdue, hasTimer }: ActorFilter): boolean {
  return isOverdue !== undefined || hasTimer !== undefined;
}

/** Number of actors that match a filter, in these leaves of its kind. */
async function countActors(db: Kysely<Database>, { filter, leaves, source, now }: CountRequest): Promise<number> {
  if (isCounted(filter)) {
    const counts = await readCounts(db, filter.kind, leaves);
    return counts.reduce((sum, { count }) => sum + count, 0);
  }
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${source} as actor
    where state = any(${leaves}::text[]) and ${actorPredicate(filter, now)}`.execute(db);
  return rows[0]?.total ?? 0;
}

interface CountRequest {
  readonly filter: ActorFilter;
  readonly leaves: readonly string[];
  /** Only actors in a final state can be in the archive. */
  readonly source: RawBuilder<unknown>;
  readonly now: UnixMs;
}

interface PageOfLeaves extends CountRequest {
  readonly after: ListPosition | null;
  readonly limit: number;
}

type PagedRow = StoredActorRow & { readonly since_us: string };

/** One page of each leaf by its own index range, merged and cut to one page. */
async function readPage(
  db: Kysely<Database>,
  { filter, leaves, source, after, limit, now }: PageOfLeaves,
): Promise<PagedRow[]> {
  const isAfter =
    after === null
      ? sql`true`
      : sql`(actor.state_entered_at, actor.id) > (
          timestamptz 'epoch' + ${after.us}::int8 * interval '1 microsecond', ${after.id})`;
  const { rows } = await sql<PagedRow>`
    select ${actorColumns}, (extract(epoch from actor.state_entered_at) * 1000000)::int8::text as since_us
    from (
      select page.* from unnest(${leaves}::text[]) as leaf (state) cross join lateral (
        select * from ${source} as actor
        where actor.state = leaf.state and ${actorPredicate(filter, now)} and ${isAfter}
        order by actor.state_entered_at, actor.id limit ${limit}
      ) as page
      order by page.state_entered_at, page.id limit ${limit}
    ) as actor
    order by actor.state_entered_at, actor.id`.execute(db);
  return rows;
}
