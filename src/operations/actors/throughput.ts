import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type Database, readByIndex } from '../../platform/db/index.ts';
import { leavesOf } from './charts.ts';
import type { OperationsDeps } from './population.ts';

/** How often actors of a kind changed their state, by the two states and the event. */
export interface Throughput {
  readonly kind: string;
  /** Counted from here; later than requested when the entry limit is reached first. */
  readonly from: UnixMs;
  readonly to: UnixMs;
  /** Projected from one actor in 64. */
  readonly isEstimate: boolean;
  /** Most frequent first. */
  readonly changes: readonly StateChange[];
}

export interface StateChange {
  /** The leaf before; null for the start of an actor. */
  readonly from: string | null;
  readonly to: string;
  readonly event: string;
  readonly count: number;
}

/** Limits of the cost of one count, smaller in tests. */
export interface ThroughputLimits {
  /** Maximum number of journal entries read, of all kinds. */
  readonly entries: number;
  /** Above this many entries, one actor in 64 is counted. */
  readonly exactUpTo: number;
}

const LIMITS: ThroughputLimits = { entries: 100_000, exactUpTo: 20_000 };
const SAMPLED_ONE_IN = 64;
/** Transactions of the first range that is read, and the factor from one range to the next. */
const FIRST_RANGE = 4_096;
const RANGE_GROWTH = 4;

/**
 * Counts the state changes of actors since a time, from the newest journal entries. Reads
 * backwards through the index of the newest entries, in ranges of transactions, until the time or
 * a number of entries is reached, so the cost depends neither on the number of actors nor on the
 * age of the installation. Entries that were moved to the archive are not counted. Throws
 * `UNKNOWN_KIND`.
 */
export async function readThroughput(
  { db, kinds, clock }: OperationsDeps,
  { kind, spanMs }: { readonly kind: string; readonly spanMs: number },
  limits: ThroughputLimits = LIMITS,
): Promise<Throughput> {
  leavesOf(kinds, kind);
  const to = clock.now();
  const end = await nextTransaction(db);
  const found = await findBegin(db, { end, since: to - spanMs, limit: limits.entries });
  const from = Math.max(to - spanMs, found.cutAt ?? 0);
  const isEstimate = found.entries > limits.exactUpTo;
  const changes = await countChanges(db, { kind, begin: found.begin, end, from, isEstimate });
  return { kind, from, to, isEstimate, changes };
}

// Helpers

/** Above every transaction so far. The oldest running one would exclude all later ones. */
async function nextTransaction(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text::int8 as next`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database has returned no transaction');
  return row.next;
}

interface Begin {
  /** The first transaction to read. */
  readonly begin: number;
  /** Entries from there on. */
  readonly entries: number;
  /** The time of the oldest entry, when there are more than may be read; else null. */
  readonly cutAt: UnixMs | null;
}

/**
 * Where to begin reading so that all entries since a time are included, as far as the limit allows.
 */
async function findBegin(
  db: Kysely<Database>,
  { end, since, limit }: { readonly end: number; readonly since: UnixMs; readonly limit: number },
): Promise<Begin> {
  let [begin, entries, oldestAt] = [end, 0, null as UnixMs | null];
  let [size, growth] = [FIRST_RANGE, RANGE_GROWTH];
  while (begin > 0) {
    const first = Math.max(0, begin - size);
    const range = await measureRange(db, { first, end: begin, limit: limit - entries });
    if (range.isFull && begin - first > 1) {
      [size, growth] = [Math.ceil((begin - first) / 2), 1];
      continue;
    }
    if (range.isFull) return { begin, entries, cutAt: oldestAt };
    [begin, entries, oldestAt] = [first, entries + range.entries, range.oldestAt ?? oldestAt];
    // Clocks of servers differ, and simulations move those of actors ahead, so one old entry does
    // not end the search; a range of nothing newer does.
    if (range.newestAt !== null && range.newestAt < since) return { begin, entries, cutAt: null };
    size *= growth;
  }
  return { begin: 0, entries, cutAt: null };
}

interface Range {
  readonly entries: number;
  readonly oldestAt: UnixMs | null;
  readonly newestAt: UnixMs | null;
  /** There are more entries than the limit. */
  readonly isFull: boolean;
}

async function measureRange(
  db: Kysely<Database>,
  { first, end, limit }: { readonly first: number; readonly end: number; readonly limit: number },
): Promise<Range> {
  const { rows } = await readByIndex(db, (trx) =>
    sql<Omit<Range, 'isFull'>>`
      select count(*)::int8 as entries, min(at) as "oldestAt", max(at) as "newestAt" from (
        select at from journal_entry where inserted_xid >= ${first}::int8 and inserted_xid < ${end}::int8
        limit ${limit + 1}
      ) as entry`.execute(trx),
  );
  const range = rows[0] ?? { entries: 0, oldestAt: null, newestAt: null };
  return { ...range, isFull: range.entries > limit };
}

interface Counted {
  readonly kind: string;
  readonly begin: number;
  readonly end: number;
  readonly from: UnixMs;
  readonly isEstimate: boolean;
}

/**
 * The state before a step is that of the step before it: mostly in the same range, else looked up
 * by the key of its actor. The entries are materialized first: otherwise the planner would read the
 * whole index of event ids to get them sorted by actor. Compiling the plan takes longer than
 * running it, so it is not compiled.
 */
async function countChanges(
  db: Kysely<Database>,
  { kind, begin, end, from, isEstimate }: Counted,
): Promise<StateChange[]> {
  const sample = isEstimate ? sql`substr(md5(actor_id), 1, 2) in ('00', '01', '02', '03')` : sql`true`;
  const { rows } = await readByIndex(db, (trx) =>
    sql<StateChange>`
      with newest as materialized (
        select actor_id, born, sequence, state, event_type, at, outcome from journal_entry
        where inserted_xid >= ${begin}::int8 and inserted_xid < ${end}::int8 and kind = ${kind}
          and outcome in ('started', 'applied') and ${sample}
      ), step as (
        select *, lag(state) over (partition by actor_id order by sequence) as before from newest
      ), change as materialized (
        select step.state, event_type, case when outcome = 'started' then null else coalesce(before, (
          select entry.state from journal_entry as entry
          where entry.actor_id = step.actor_id and entry.born = step.born and entry.sequence < step.sequence
            and entry.outcome in ('started', 'applied')
          order by entry.sequence desc limit 1
        )) end as before from step where at >= ${new Date(from)}
      )
      select before as "from", state as "to", event_type as event, count(*)::int8 as count from change
      where before is distinct from state
      group by before, state, event_type order by count(*) desc, before nulls first, state, event_type`.execute(trx),
  );
  return isEstimate ? rows.map((row) => ({ ...row, count: row.count * SAMPLED_ONE_IN })) : rows;
}
