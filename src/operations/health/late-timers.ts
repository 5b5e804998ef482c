import { type RawBuilder, sql } from 'kysely';
import { MINUTE_MS, type UnixMs } from '../../../machines/index.ts';

/**
 * A due timer is published within a second and its lease lasts a minute; one overdue for
 * longer than this is late.
 */
export const LATE_AFTER_MS = 2 * MINUTE_MS;

/** The queues of timers without a gate, read from their index one by one, as `clock`. */
export const TIMER_QUEUES: RawBuilder<unknown> = sql`
      with recursive clock as (
        (select queue from timer where gate is null and leased_until = '-infinity' order by queue limit 1)
        union all
        select next.queue from clock cross join lateral (
          select queue from timer where gate is null and leased_until = '-infinity' and timer.queue > clock.queue
          order by queue limit 1
        ) as next
      )`;

/**
 * Selects `actor_id`, `name` and `due_at` of every late timer, for the three ways in which a timer
 * becomes due. Each uses an index of the timer service: one on the timers without a lease, another
 * on the leased ones. A height timer is late when another block has been seen since. A timer held
 * back by a blind watcher is not due yet: that shows in the health of its network. A timer held
 * back by a pending observation is late, because no observation should take that long.
 */
export function lateTimers(now: UnixMs): RawBuilder<unknown> {
  const time = new Date(now - LATE_AFTER_MS);
  const lateAfter = sql`make_interval(secs => ${LATE_AFTER_MS / 1000})`;
  return sql`
    select actor_id, name, due_at from (
      ${TIMER_QUEUES}
      select actor_id, name, due_at from clock join timer on timer.queue = clock.queue
      where gate is null and leased_until = '-infinity' and fires_at <= ${time}
    ) as by_clock
    union all
    select actor_id, name, due_at from watermark join timer on timer.gate = watermark.gate
      where timer.gate is not null and timer.height is null and leased_until = '-infinity'
      and timer.due_at < watermark.reached_at - ${lateAfter} and fires_at <= ${time}
    union all
    select actor_id, name, due_at from watermark join timer on timer.gate = watermark.gate
      where timer.height is not null and leased_until = '-infinity' and timer.height < watermark.height
    union all
    select actor_id, name, due_at from timer left join watermark on watermark.gate = timer.gate
      where leased_until > '-infinity' and (fires_at is null or fires_at <= ${time})
      and (timer.gate is null or timer.due_at < watermark.reached_at - ${lateAfter} or timer.height < watermark.height)`;
}
