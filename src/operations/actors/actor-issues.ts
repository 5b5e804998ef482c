import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Mode, transactionMachine, type UnixMs } from '../../../machines/index.ts';
import { type Database, readByIndex } from '../../platform/db/index.ts';
import { lateTimers } from '../health/late-timers.ts';
import type { ActorFilter, ActorIssue } from '../types.ts';
import { limitedStatesOf } from './dwell-limits.ts';
import type { OperationsDeps } from './population.ts';
import { actorPredicate, modeOfActor } from './predicate.ts';

/**
 * Counts of the actors that an operator should check: those over their dwell limit or with late
 * timers, by kind, and payments that await their merchant's decision, by mode. Counts of zero are
 * omitted. The cost grows with the number of issues, not of actors. Rejects with `RetryableError`
 * when the database is unavailable.
 */
export async function readActorIssues({ db, kinds, clock }: OperationsDeps): Promise<ActorIssue[]> {
  const now = clock.now();
  const names = kinds.list().map(({ name }) => name);
  return readByIndex(db, async (trx) => {
    const overdue = await countOverdue(trx, names, now);
    const late = await countLate(trx, now);
    return [...overdue, ...late, ...(await countUndecided(trx))];
  });
}

// Helpers

/** States of a payment that only a decision of its merchant ends, or a long deadline. */
const UNDECIDED = ['expired.paidLate', 'open.inReview'];

interface CountedKind {
  readonly kind: string;
  readonly count: number;
  readonly oldest_at: UnixMs | null;
}

async function countOverdue(db: Kysely<Database>, kinds: readonly string[], now: UnixMs): Promise<ActorIssue[]> {
  const counts = kinds.flatMap((kind) => countOverdueOf(kind, now));
  if (counts.length === 0) return [];
  const { rows } = await sql<CountedKind>`
    select kind, sum(count)::int8 as count, min(oldest_at) as oldest_at
    from (${sql.join(counts, sql` union all `)}) as counted
    group by kind having sum(count) > 0 order by kind desc`.execute(db);
  return rows.map((row) => toIssue({ kind: row.kind, isOverdue: true }, row));
}

/** One select per limited state: each is a range of the index by state. */
function countOverdueOf(kind: string, now: UnixMs): RawBuilder<unknown>[] {
  return limitedStatesOf(kind).map(
    ({ state, limitMs }) => sql`
      select ${kind}::text as kind, count(*) as count, min(state_entered_at) as oldest_at from actor
      where state = ${state} and ${actorPredicate({ kind, restingMs: limitMs }, now)}`,
  );
}

async function countLate(db: Kysely<Database>, now: UnixMs): Promise<ActorIssue[]> {
  const { rows } = await sql<CountedKind>`
    select actor.kind, count(distinct actor.id) as count, min(late.due_at) as oldest_at
    from (${lateTimers(now)}) as late join actor on actor.id = late.actor_id
    group by actor.kind order by actor.kind desc`.execute(db);
  return rows.map((row) => toIssue({ kind: row.kind, isLate: true }, row));
}

/**
 * Live and test payments apart: those of test mode are for practice. `offset 0` keeps the planner
 * from looking up each mode twice, to filter by it and to group by it.
 */
async function countUndecided(db: Kysely<Database>): Promise<ActorIssue[]> {
  const kind = transactionMachine.id;
  const { rows } = await sql<{ state: string; mode: Mode; count: number; oldest_at: UnixMs | null }>`
    select state, mode, count(*) as count, min(state_entered_at) as oldest_at
    from (
      select state, state_entered_at, (${modeOfActor(kind)}) as mode from actor
      where kind = ${kind} and state = any(${UNDECIDED}::text[]) offset 0
    ) as undecided
    where mode is not null group by mode, state order by mode, array_position(${UNDECIDED}::text[], state)`.execute(db);
  return rows.map(({ state, mode, ...counted }) => toIssue({ kind, state, mode }, counted));
}

function toIssue(filter: ActorFilter, { count, oldest_at: oldestAt }: Omit<CountedKind, 'kind'>): ActorIssue {
  return { filter, count, oldestAt };
}
