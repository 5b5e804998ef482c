import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../../machines/index.ts';
import { type Database, onlyReadable } from '../../db/index.ts';
import type { DueTimer } from './lease-timers.ts';

/**
 * Returns the due timers of one actor, earliest first, without leasing them: for a caller that
 * delivers them itself immediately. If the timer service publishes the same ones, the actor accepts
 * only the first, because the event ids are equal. Parked timers are left out.
 */
export async function dueTimersOf(
  db: Kysely<Database>,
  { actorId, now }: { actorId: string; now: UnixMs },
): Promise<DueTimer[]> {
  const { rows } = await sql<DueTimer>`
    select actor_id as "actorId", name, set_by_sequence as "setBySequence", due_at as "dueAt",
      case when timer.height is null then null else watermark.height end as height, queue, partition
    from timer left join watermark on watermark.gate = timer.gate
    where actor_id = ${actorId} and leased_until < 'infinity' and (
      (timer.gate is null and fires_at <= ${new Date(now)})
      or (timer.height is null and fires_at <= ${new Date(now)} and due_at < watermark.reached_at)
      or timer.height <= watermark.height
    )
    order by due_at nulls first`.execute(db);
  return onlyReadable(db, rows, ({ name }) => ({ actorId, what: `timer ${name}` }));
}
