import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../../machines/index.ts';
import { type Database, onlyReadable, pipelinedTransaction, settleAll, unnestRows } from '../../db/index.ts';
import { pairKey } from '../consequences.ts';
import { planByIndex } from './plan.ts';

export interface DueTimer {
  readonly actorId: string;
  readonly name: string;
  readonly setBySequence: number;
  readonly dueAt: UnixMs | null;
  readonly height: number | null;
  readonly queue: string;
  readonly partition: number;
}

/** A due timer that no other process publishes before `leasedUntil`. */
export interface LeasedTimer extends DueTimer {
  readonly leasedUntil: UnixMs;
  /** When it was due by wall-clock time; null for a height timer. */
  readonly firesAt: UnixMs | null;
  readonly gate: string | null;
  /**
   * Timers of one lane have the same trigger: the clock (per queue), a gate's watermark, or its
   * height.
   */
  readonly lane: string;
}

export interface LeaseRequest {
  readonly now: UnixMs;
  readonly leaseMs: number;
  /** Maximum number of unleased timers per lane, and of expired leases in total. */
  readonly limit: number;
  /** Lanes with less free capacity than `limit`, possibly 0. */
  readonly capacities?: ReadonlyMap<string, number>;
}

/**
 * Leases due timers: no other process publishes them until the lease expires. The row is deleted in
 * the commit that accepts the timer's event, so a crash in between only repeats the event with the
 * same id. Rows locked by another process are skipped and the next ones taken.
 *
 * There are three ways to be due, each with an index of unleased timers: by the clock; by the clock
 * and a watermark past `due_at`, with no pending observation for the actor; by height. Expired
 * leases have a fourth index.
 */
export async function leaseDueTimers(
  db: Kysely<Database>,
  { now, leaseMs, limit, capacities = new Map() }: LeaseRequest,
): Promise<LeasedTimer[]> {
  const time = new Date(now);
  const capacityRows = [...capacities].map(([lane, capacity]) => ({ lane, capacity }));
  const leasedUntil = now + leaseMs;
  const roomOf = (lane: RawBuilder<unknown>) =>
    sql`coalesce((select capacity.capacity from capacity where capacity.lane = ${lane}), ${limit}::int4)`;
  const statement = sql<Omit<LeasedTimer, 'leasedUntil'>>`
    with recursive capacity as (
      select * from ${unnestRows('capacity', { text: ['lane'], int4: ['capacity'] }, capacityRows)}
    ), ${eachOf('clock', 'queue', BY_CLOCK)}, ${eachOf('waiting', 'gate', BY_WATERMARK)}, ${eachOf('climbing', 'gate', BY_HEIGHT)},
    reached as (
      select watermark.* from waiting join watermark on watermark.gate = waiting.gate
    ), climbed as (
      select watermark.* from climbing join watermark on watermark.gate = climbing.gate
    ), by_clock as (
      select due.* from clock cross join lateral (
        select actor_id, name from timer
        where ${BY_CLOCK} and timer.queue = clock.queue and fires_at <= ${time}
        order by fires_at limit ${roomOf(sql`clock.queue`)} for update of timer skip locked
      ) as due
    ), by_watermark as (
      select due.* from reached cross join lateral (
        select actor_id, name from timer
        where ${BY_WATERMARK} and timer.gate = reached.gate and due_at < reached.reached_at and fires_at <= ${time} and ${IS_FREE_TO_GO}
        order by due_at limit ${roomOf(sql`reached.gate`)} for update of timer skip locked
      ) as due
    ), by_height as (
      select due.* from climbed cross join lateral (
        select actor_id, name from timer
        where ${BY_HEIGHT} and timer.gate = climbed.gate and timer.height <= climbed.height
        order by timer.height limit ${roomOf(sql`climbed.gate || '/height'`)} for update of timer skip locked
      ) as due
    ), run_out as (
      select actor_id, name from timer
      where leased_until > '-infinity' and leased_until <= ${time} and ${roomOf(LANE)} > 0
        and (fires_at is null or fires_at <= ${time})
        and (gate is null or exists (
          select from watermark where watermark.gate = timer.gate
            and (timer.due_at < watermark.reached_at or timer.height <= watermark.height)))
        and (gate is null or ${IS_FREE_TO_GO})
      order by leased_until limit ${limit} for update of timer skip locked
    ), mine as (
      select * from by_clock union all select * from by_watermark union all select * from by_height
      union all select * from run_out
    )
    update timer set leased_until = ${new Date(leasedUntil)}
    from mine where timer.actor_id = mine.actor_id and timer.name = mine.name
    returning timer.actor_id as "actorId", timer.name, set_by_sequence as "setBySequence", due_at as "dueAt",
      fires_at as "firesAt", timer.gate, queue, partition, ${LANE} as lane,
      case when height is not null then
        greatest(height, (select watermark.height from watermark where watermark.gate = timer.gate)) end as height`;
  const rows = await pipelinedTransaction(db, async (trx) => {
    const [, due] = await settleAll([planByIndex(trx), statement.execute(trx)]);
    return onlyReadable(
      trx,
      due.rows,
      ({ actorId, name }) => ({ actorId, what: `timer ${name}` }),
      (unreadable) => parkTimers(trx, unreadable),
    );
  });
  return rows.map((row) => ({ ...row, leasedUntil })).sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0));
}

/**
 * Returns which of these leases are still held, by `pairKey`. For the others, the event was
 * accepted, or the timer was cancelled or reset.
 */
export async function findHeldLeases(
  db: Kysely<Database>,
  leases: readonly LeasedTimer[],
): Promise<ReadonlySet<string>> {
  const columns = { text: ['actor_id', 'name'], int8: ['set_by_sequence'], timestamptz: ['leased_until'] } as const;
  const leaseRows = leases.map((lease) => ({
    actor_id: lease.actorId,
    name: lease.name,
    set_by_sequence: lease.setBySequence,
    leased_until: lease.leasedUntil,
  }));
  const statement = sql<{ actor_id: string; name: string }>`
    select timer.actor_id, timer.name
    from ${unnestRows('lease', columns, leaseRows)}
    join timer on timer.actor_id = lease.actor_id and timer.name = lease.name
      and timer.set_by_sequence = lease.set_by_sequence and timer.leased_until = lease.leased_until`;
  const [, { rows }] = await pipelinedTransaction(db, (trx) => settleAll([planByIndex(trx), statement.execute(trx)]));
  return new Set(rows.map((row) => pairKey(row.actor_id, row.name)));
}

// Helpers

/** The actor has no pending observation from below the watermark. See `publishObservations`. */
const IS_FREE_TO_GO = sql`not exists (select from pending_observation where pending_observation.actor_id = timer.actor_id)`;

/** Predicates of the three partial indexes. */
const BY_CLOCK = sql`timer.gate is null and timer.leased_until = '-infinity'`;
const BY_WATERMARK = sql`timer.gate is not null and timer.height is null and timer.leased_until = '-infinity'`;
const BY_HEIGHT = sql`timer.height is not null and timer.leased_until = '-infinity'`;

/**
 * A recursive CTE of the distinct values of a column among such timers: one index lookup per value
 * (a loose index scan).
 */
function eachOf(name: string, column: 'queue' | 'gate', isOne: RawBuilder<unknown>): RawBuilder<unknown> {
  const [table, value] = [sql.ref(name), sql.ref(column)];
  return sql`${table} as (
    (select ${value} from timer where ${isOne} order by ${value} limit 1)
    union all
    select next.${value} from ${table} cross join lateral (
      select ${value} from timer where ${isOne} and timer.${value} > ${table}.${value} order by ${value} limit 1
    ) as next
  )`;
}

/** Queue names begin with `actor-`, so they never equal a gate. */
const LANE = sql`case when timer.height is null then coalesce(timer.gate, timer.queue) else timer.gate || '/height' end`;

/** By name only: the unreadable value may be `set_by_sequence`. */
async function parkTimers(
  trx: Transaction<Database>,
  timers: readonly Pick<DueTimer, 'actorId' | 'name'>[],
): Promise<void> {
  const keys = timers.map(({ actorId, name }) => ({ actor_id: actorId, name }));
  await sql`
    update timer set leased_until = 'infinity'
    from ${unnestRows('mine', { text: ['actor_id', 'name'] }, keys)}
    where timer.actor_id = mine.actor_id and timer.name = mine.name`.execute(trx);
}
