import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { DAY_MS, type UnixMs } from '../../../../machines/index.ts';
import { partitionOf } from '../../bus/index.ts';
import { type Database, insertUnnested, onlyReadable, unnestRows } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';
import { pairKey, type TimerSetting } from '../consequences.ts';
import type { DueTimer } from './lease-due-timers.ts';

/** One timer, or with the name null all of its actor. */
export interface RemovedTimer {
  readonly actorId: string;
  readonly name: string | null;
}

/** The SQL of a DELETE of timers; see `writeSteps`. */
export function timerDelete(removals: readonly RemovedTimer[]): RawBuilder<unknown> {
  const gone = removals.map(({ actorId, name }) => ({ actor_id: actorId, name }));
  return sql`
    delete from timer using ${unnestRows('gone', KEY_COLUMNS, gone)}
    where timer.actor_id = gone.actor_id and timer.name = coalesce(gone.name, timer.name)`;
}

/** The SQL of an UPSERT of timers; see `writeSteps`. */
export function timerUpsert(
  settings: readonly TimerSetting[],
  clockOffsetOf: (actorId: string) => number,
): RawBuilder<unknown> {
  const rows = settings.map(({ actorId, name, setBySequence, dueAt, gate, height, queue }) => ({
    actor_id: actorId,
    name,
    set_by_sequence: setBySequence,
    due_at: dueAt,
    fires_at: dueAt === null ? null : dueAt - clockOffsetOf(actorId),
    gate,
    height,
    queue,
    partition: partitionOf(actorId),
  }));
  return sql`
    ${insertUnnested('timer', TIMER_COLUMNS, rows)}
    on conflict (actor_id, name) do update set set_by_sequence = excluded.set_by_sequence, due_at = excluded.due_at,
      fires_at = excluded.fires_at, gate = excluded.gate, height = excluded.height, leased_until = '-infinity'`;
}

/**
 * Returns the current setting (`set_by_sequence`) of each of these timers that exists, by
 * `pairKey`. Their actors must be locked.
 */
export async function findTimers(
  trx: Transaction<Database>,
  requested: readonly { readonly actorId: string; readonly name: string }[],
): Promise<Map<string, number>> {
  if (requested.length === 0) return new Map();
  const keys = requested.map(({ actorId, name }) => ({ actor_id: actorId, name }));
  const { rows } = await sql<{ actor_id: string; name: string; set_by_sequence: number }>`
    select timer.actor_id, timer.name, timer.set_by_sequence
    from ${unnestRows('requested', KEY_COLUMNS, keys)}
    join timer on timer.actor_id = requested.actor_id and timer.name = requested.name`.execute(trx);
  return new Map(rows.map((row) => [pairKey(row.actor_id, row.name), row.set_by_sequence]));
}

/** Maximum clock offset of an actor: ten years with the most leap days they can contain. */
export const MAX_CLOCK_OFFSET_MS = 3_653 * DAY_MS;

/**
 * Moves an actor's clock forward, so that all its timers fire that much sooner. Throws
 * `TerminalError` `INVALID_REQUEST` beyond `MAX_CLOCK_OFFSET_MS`.
 */
export async function shiftClock(trx: Transaction<Database>, actorId: string, byMs: number): Promise<void> {
  const { rows } = await sql<{ clock_offset_ms: number }>`
    select clock_offset_ms from actor where id = ${actorId} for update`.execute(trx);
  if ((rows[0]?.clock_offset_ms ?? 0) + byMs > MAX_CLOCK_OFFSET_MS) {
    throw new TerminalError('INVALID_REQUEST', 'A clock can be moved forward by at most 10 years in total');
  }
  await sql`update actor set clock_offset_ms = clock_offset_ms + ${byMs} where id = ${actorId}`.execute(trx);
  await sql`
    update timer set fires_at = fires_at - make_interval(secs => ${byMs / 1000})
    where actor_id = ${actorId} and fires_at is not null`.execute(trx);
}

/**
 * Sets the end of leases: minus infinity releases timers, infinity parks them. Only the given
 * settings: a timer that was reset in the meantime is unchanged.
 */
export async function leaseTimersUntil(
  db: Kysely<Database>,
  timers: readonly { readonly actorId: string; readonly name: string; readonly setBySequence: number }[],
  until: 'infinity' | '-infinity',
): Promise<void> {
  if (timers.length === 0) return;
  const columns = { ...KEY_COLUMNS, int8: ['set_by_sequence'] } as const;
  const settings = timers.map((timer) => {
    return { actor_id: timer.actorId, name: timer.name, set_by_sequence: timer.setBySequence };
  });
  await sql`
    update timer set leased_until = ${until}::timestamptz
    from ${unnestRows('mine', columns, settings)}
    where timer.actor_id = mine.actor_id and timer.name = mine.name
      and timer.set_by_sequence = mine.set_by_sequence`.execute(db);
}

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

// Helpers

const KEY_COLUMNS = { text: ['actor_id', 'name'] } as const;
const TIMER_COLUMNS = {
  text: [...KEY_COLUMNS.text, 'gate', 'queue'],
  int4: ['partition'],
  int8: ['set_by_sequence', 'height'],
  timestamptz: ['due_at', 'fires_at'],
} as const;
