import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, readByIndex } from '../../platform/db/index.ts';
import { type KindRegistry, storedActors } from '../../platform/engine/index.ts';
import { finalLeavesOf, leavesOf } from './charts.ts';
import { dwellLimitMs } from './dwell-limits.ts';
import { actorPredicate } from './predicate.ts';

export interface OperationsDeps {
  readonly db: Kysely<Database>;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
}

export interface Population {
  readonly kind: string;
  readonly at: UnixMs;
  readonly leaves: readonly LeafPopulation[];
}

export interface LeafPopulation {
  readonly state: string;
  readonly count: number;
  /** Null for a final state whose actors have all been deleted from the archive. */
  readonly oldestAt: UnixMs | null;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly overdue: number | null;
  /** The longest usual time in the state, in ms; null without one. */
  readonly limitMs: number | null;
}

/** Above this size, percentiles are estimated from a sample of one actor in 64. */
export const EXACT_UP_TO = 5_000;

/**
 * Number of actors of a kind in each leaf and how long they have been there; empty leaves are left
 * out. The cost hardly grows with the number of actors: counts are maintained, the oldest actor is
 * the first of an index, percentiles of large states come from a sample by id, and overdue actors
 * are counted one by one, because there should be few. Final states have no percentiles and no
 * overdue count; they include actors already deleted from the archive. Throws `UNKNOWN_KIND`.
 */
export async function readPopulation({ db, kinds, clock }: OperationsDeps, kind: string): Promise<Population> {
  const leaves = leavesOf(kinds, kind);
  const isFinal = (state: string) => finalLeavesOf(kinds, kind).includes(state);
  const at = clock.now();
  return readByIndex(db, async (trx) => {
    const counts = await readCounts(trx, kind, leaves);
    const parts = counts.map((leaf) => measureLeaf(kind, leaf, { at, isFinal: isFinal(leaf.state) }));
    if (parts.length === 0) return { kind, at, leaves: [] };
    const { rows } = await sql<MeasuredLeaf>`${sql.join(parts, sql` union all `)}`.execute(trx);
    const measured = new Map(rows.map((row) => [row.state, row]));
    return {
      kind,
      at,
      leaves: counts.flatMap((leaf) =>
        toLeaf(leaf, measured.get(leaf.state), { kind, at, isFinal: isFinal(leaf.state) }),
      ),
    };
  });
}

export interface LeafCount {
  readonly state: string;
  readonly count: number;
}

/**
 * Number of actors in each of these leaves, from the maintained counts; empty leaves are left out.
 */
export async function readCounts(db: Kysely<Database>, kind: string, leaves: readonly string[]): Promise<LeafCount[]> {
  const { rows } = await sql<LeafCount>`
    select state, sum(actors)::int8 as count from actor_count
    where kind = ${kind} and state = any(${leaves}::text[])
    group by state having sum(actors) > 0 order by array_position(${leaves}::text[], state)`.execute(db);
  return rows;
}

// Helpers

interface MeasuredLeaf {
  readonly state: string;
  readonly oldest_at: number | null;
  readonly p50_at: number | null;
  readonly p95_at: number | null;
  readonly overdue: number | null;
}

/** One row. The 95th percentile of the duration is the 5th of the entry time. */
function measureLeaf(
  kind: string,
  { state, count }: LeafCount,
  { at, isFinal }: { at: UnixMs; isFinal: boolean },
): RawBuilder<unknown> {
  const inLeaf = sql`kind = ${kind} and state = ${state}`;
  // Actors in a final state may be archived.
  const source = isFinal ? storedActors : sql`actor`;
  const oldest = sql`(select min(state_entered_at) from ${source} as actor where ${inLeaf}) as oldest_at`;
  if (isFinal)
    return sql`select ${state}::text as state, ${oldest}, null::timestamptz as p50_at, null::timestamptz as p95_at,
      null::int8 as overdue`;
  const sample = count > EXACT_UP_TO ? sql`substr(md5(id), 1, 2) in ('00', '01', '02', '03')` : sql`true`;
  const limitMs = dwellLimitMs(kind, state);
  const overdue =
    limitMs === null
      ? sql`null::int8`
      : sql`(select count(*) from actor where state = ${state} and ${actorPredicate({ kind, restingMs: limitMs }, at)})`;
  return sql`
    select ${state}::text as state, ${oldest},
      percentile_disc(0.5) within group (order by state_entered_at) as p50_at,
      percentile_disc(0.05) within group (order by state_entered_at) as p95_at,
      ${overdue} as overdue
    from actor where ${inLeaf} and ${sample}`;
}

/** Leaves out a leaf that was emptied between the two reads; actors never leave a final one. */
function toLeaf(
  { state, count }: LeafCount,
  measured: MeasuredLeaf | undefined,
  { kind, at, isFinal }: { kind: string; at: UnixMs; isFinal: boolean },
): LeafPopulation[] {
  if (measured === undefined || (measured.oldest_at === null && !isFinal)) return [];
  const { oldest_at: oldestAt, p50_at: p50At, p95_at: p95At, overdue } = measured;
  const restingMs = (since: number | null) => (since === null ? 0 : Math.max(0, at - since));
  const limitMs = dwellLimitMs(kind, state);
  return [{ state, count, oldestAt, p50Ms: restingMs(p50At), p95Ms: restingMs(p95At), overdue, limitMs }];
}
