import { type Kysely, sql } from 'kysely';
import { type Database, unnestRows } from '../../platform/db/index.ts';

/** Concurrent requests of one subject, and the limits they count against. */
export interface RequestedFor {
  readonly subject: string;
  readonly requested: number;
  readonly perMinute: number;
  readonly perHour: number;
}

/** The windows of a subject after counting. */
export interface Counted {
  readonly subject: string;
  /** Number of the window since 1970. */
  readonly minute: number;
  readonly hour: number;
  readonly inMinute: number;
  readonly inHour: number;
  /** How many of the requests just counted are admitted. */
  readonly admitted: number;
}

/**
 * A process whose clock is behind counts in the newer window that another one has started: its own
 * is no longer read. A window further ahead than this comes from a wrong clock and is dropped.
 */
const MAX_LEAD_MINUTES = 60;
const MAX_LEAD_HOURS = 1;
/** Rows deleted per statement. */
const DELETE_ROWS = 10_000;

/**
 * Counts requests of many subjects, each in both windows simultaneously: as many as fit into the
 * fuller window, the others in neither. A single statement, so concurrent processes wait for each
 * other row by row; all lock subjects in the same order, so they cannot deadlock. The admitted
 * number is stored in the row, because `returning` cannot see the old row. Its commit does not wait
 * for the disk, since every request would: a crash of the database loses the counts of its last
 * second.
 */
export async function countRequests(
  db: Kysely<Database>,
  requests: readonly RequestedFor[],
  { minute, hour }: { readonly minute: number; readonly hour: number },
): Promise<Counted[]> {
  const subjects = requests.map(({ perMinute, perHour, ...each }) => ({
    ...each,
    per_minute: perMinute,
    per_hour: perHour,
  }));
  const { rows } = await sql<Counted>`
    insert into request_count as held
      (subject, minute, hour, in_minute, in_hour, per_minute, per_hour, admitted)
    select subject, ${minute}::int8, ${hour}::int8, fitting, fitting, per_minute, per_hour, fitting
    from ${unnestRows('request', { text: ['subject'], int8: ['requested', 'per_minute', 'per_hour'] }, subjects)}
    cross join (select set_config('synchronous_commit', 'off', true)) as unflushed
    cross join lateral (select least(requested, per_minute, per_hour) as fitting) as first_ones
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
 * Deletes past windows. The previous one stays for processes whose clocks are behind. Locked rows
 * are left for the next time.
 */
export async function deleteOldRequestCounts(db: Kysely<Database>, hour: number): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from request_count where subject = any(array(
        select subject from request_count
        where hour < ${hour - 1}::int8 limit ${DELETE_ROWS} for update skip locked
      ))`.execute(db);
    if (numAffectedRows < DELETE_ROWS) return;
  }
}
