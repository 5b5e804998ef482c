import { type RawBuilder, sql } from 'kysely';
import { MINUTE_MS, type UnixMs } from '../../machines/index.ts';

/** A due timer is published within a second and its lease lasts a minute; one that is due for longer than this is late. */
export const LATE_AFTER_MS = 2 * MINUTE_MS;

/**
 * Selects `actor_id`, `due_at` of every timer that was due and has not fired, in the three ways a timer can be due; each by the
 * index the timer service uses. A height timer is late when another block has come since. What a blind watcher holds back
 * is not due yet: that shows in the health of its network.
 */
export function lateTimers(now: UnixMs): RawBuilder<unknown> {
  const time = new Date(now - LATE_AFTER_MS);
  return sql`
    select actor_id, due_at from timer where gate is null and fires_at <= ${time}
    union all
    select actor_id, due_at from watermark join timer on timer.gate = watermark.gate
      where timer.height is null
      and timer.due_at <= watermark.reached_at - make_interval(secs => ${LATE_AFTER_MS / 1000}) and fires_at <= ${time}
    union all
    select actor_id, due_at from watermark join timer on timer.gate = watermark.gate
      where timer.height is not null and timer.height < watermark.height`;
}
