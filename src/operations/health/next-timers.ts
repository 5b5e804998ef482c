import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Database, readByIndex } from '../../platform/db/index.ts';
import type { OperationsDeps } from '../actors/population.ts';
import type { NextTimer } from '../types.ts';
import { lateTimers, TIMER_QUEUES } from './late-timers.ts';

/** How many of the timers are returned. */
export const NEXT_TIMERS = 50;

/**
 * The timers of all actors that are due next, the late ones first. A timer that waits for a block
 * is returned only when it is late, because the time of its block is unknown. The cost does not
 * grow with the number of timers. Rejects with `RetryableError` when the database is unavailable.
 */
export async function listNextTimers({ db, clock }: Pick<OperationsDeps, 'db' | 'clock'>): Promise<NextTimer[]> {
  const [late, next] = await readByIndex(db, async (trx) => [
    await readTimers(trx, lateTimers(clock.now()), 'due_at'),
    await readTimers(trx, pendingTimers, 'fires_at'),
  ]);
  const keyOf = ({ actorId, name }: StoredTimer) => JSON.stringify([actorId, name]);
  const known = new Set(late.map(keyOf));
  return [
    ...late.map((timer) => ({ ...timer, isLate: true })),
    ...next.filter((timer) => !known.has(keyOf(timer))).map((timer) => ({ ...timer, isLate: false })),
  ].slice(0, NEXT_TIMERS);
}

// Helpers

type StoredTimer = Omit<NextTimer, 'isLate'>;

/** The first of these timers, given as `actor_id` and `name`, with their actors. */
async function readTimers(
  db: Kysely<Database>,
  timers: RawBuilder<unknown>,
  order: 'due_at' | 'fires_at',
): Promise<StoredTimer[]> {
  const { rows } = await sql<StoredTimer>`
    select timer.actor_id as "actorId", actor.kind, actor.state, timer.name, timer.due_at as "dueAt",
      timer.fires_at as "firesAt", timer.gate, timer.height
    from (${timers}) as requested
    join timer on timer.actor_id = requested.actor_id and timer.name = requested.name
    join actor on actor.id = timer.actor_id
    order by timer.${sql.ref(order)} nulls first, timer.actor_id, timer.name limit ${NEXT_TIMERS}`.execute(db);
  return rows;
}

/**
 * The next timers of each queue without a gate and of each gate: both lists are read from the
 * indexes of the timer service, one entry at a time.
 */
const pendingTimers = sql`
  select actor_id, name from (
    ${TIMER_QUEUES}
    select first.actor_id, first.name from clock cross join lateral (
      select actor_id, name from timer
      where gate is null and leased_until = '-infinity' and timer.queue = clock.queue
      order by fires_at limit ${NEXT_TIMERS}
    ) as first
  ) as by_clock
  union all
  select actor_id, name from (
    with recursive gates as (
      (select gate from timer where gate is not null and height is null and leased_until = '-infinity'
        order by gate limit 1)
      union all
      select next.gate from gates cross join lateral (
        select gate from timer where timer.gate is not null and height is null and leased_until = '-infinity'
          and timer.gate > gates.gate order by gate limit 1
      ) as next
    )
    select first.actor_id, first.name from gates cross join lateral (
      select actor_id, name from timer
      where timer.gate is not null and height is null and leased_until = '-infinity' and timer.gate = gates.gate
      order by due_at limit ${NEXT_TIMERS}
    ) as first
  ) as by_gate`;
