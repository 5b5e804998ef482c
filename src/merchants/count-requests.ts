import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/index.ts';

/** Requests of one subject that came together, and what they are counted against. */
export interface AskedFor {
  readonly subject: string;
  readonly wanted: number;
  readonly perMinute: number;
  readonly perHour: number;
}

/** The windows of a subject after a count. */
export interface Counted {
  readonly subject: string;
  /** Number of the window since 1970. */
  readonly minute: number;
  readonly hour: number;
  readonly inMinute: number;
  readonly inHour: number;
  /** How many of those that were wanted now are among them. */
  readonly admitted: number;
}

/**
 * A window that has begun is not left for an older one: the clocks of several processes never quite agree, and a request
 * would be counted where nobody looks any more. Beyond this the window is the work of a clock gone wrong, and is dropped.
 */
const MAX_LEAD_MINUTES = 60;
const MAX_LEAD_HOURS = 1;
/** Rows one statement deletes. */
const SWEEP_ROWS = 10_000;

/**
 * Counts requests of many subjects, each in both windows at once: as many as fit into the fuller window, the others in
 * neither. One statement, so processes that count at the same time wait for each other row by row; subjects go in the
 * same order everywhere, so none waits in a circle. What fits is stored with the row, because `returning` knows
 * nothing of how the row was before.
 */
export async function countRequests(
  db: Kysely<Database>,
  asked: readonly AskedFor[],
  { minute, hour }: { readonly minute: number; readonly hour: number },
): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    insert into request_count as held
      (subject, minute, hour, in_minute, in_hour, per_minute, per_hour, admitted)
    select subject, ${minute}::int8, ${hour}::int8, fitting, fitting, per_minute, per_hour, fitting
    from unnest(
      ${asked.map(({ subject }) => subject)}::text[], ${asked.map(({ wanted }) => wanted)}::int8[],
      ${asked.map(({ perMinute }) => perMinute)}::int8[], ${asked.map(({ perHour }) => perHour)}::int8[]
    ) as asked (subject, wanted, per_minute, per_hour)
    cross join lateral (select least(wanted, per_minute, per_hour) as fitting) as first_ones
    order by subject
    on conflict (subject) do update
    set (minute, hour, in_minute, in_hour, per_minute, per_hour, admitted) = (
      select current.minute, current.hour, used.in_minute + fit.n, used.in_hour + fit.n,
        excluded.per_minute, excluded.per_hour, fit.n
      from (
        select
          case when held.minute between excluded.minute and excluded.minute + ${MAX_LEAD_MINUTES}::int8
            then held.minute else excluded.minute end as minute,
          case when held.hour between excluded.hour and excluded.hour + ${MAX_LEAD_HOURS}::int8
            then held.hour else excluded.hour end as hour
      ) as current
      cross join lateral (
        select case when held.minute = current.minute then held.in_minute else 0 end as in_minute,
          case when held.hour = current.hour then held.in_hour else 0 end as in_hour
      ) as used
      cross join lateral (
        select greatest(0, least(excluded.admitted, excluded.per_minute - used.in_minute,
          excluded.per_hour - used.in_hour)) as n
      ) as fit
    )
    returning subject, minute, hour, in_minute as "inMinute", in_hour as "inHour", admitted`.execute(db);
  return rows;
}

/**
 * Removes the windows that are over. The one before the current stays for processes whose clocks are behind. Rows in
 * use are left for the next time instead of being waited for.
 */
export async function sweepRequestCounts(db: Kysely<Database>, hour: number): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from request_count where subject = any(array(
        select subject from request_count
        where hour < ${hour - 1}::int8 limit ${SWEEP_ROWS} for update skip locked
      ))`.execute(db);
    if (numAffectedRows < SWEEP_ROWS) return;
  }
}
