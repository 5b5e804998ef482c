import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';

/** Tables that have one partition per month, by the column that says which. */
export const MONTHLY_TABLES = ['journal_entry', 'webhook_attempt', 'actor_archive'] as const;
export type MonthlyTable = (typeof MONTHLY_TABLES)[number];

/** So many months are made ahead: a service whose worker stood still for that long writes into the default partitions. */
const MONTHS_AHEAD = 3;

/**
 * Makes the partitions of this month and of the next ones, and of every month that rows lie in the default partition for; of the archive
 * also those of all months that actors with a journal were born in. Returns how many rows were moved out of the default partition. Any number of processes may do so at once. Rejects when a table cannot be locked at once; nothing has
 * changed then.
 */
export async function makePartitions(db: Kysely<Database>, table: MonthlyTable, now: UnixMs): Promise<number> {
  const latest = new Date(now);
  latest.setUTCDate(1);
  latest.setUTCMonth(latest.getUTCMonth() + MONTHS_AHEAD);
  const earliest = table === 'actor_archive' ? Math.min(now, (await oldestJournalMonth(db)) ?? now) : now;
  const { rows } = await sql<{ moved: number }>`
    select make_month_partitions(${table}, ${new Date(earliest)}, ${latest}) as moved`.execute(db);
  return rows[0]?.moved ?? 0;
}

/** Drops the partitions of months that were over before a moment, rows and all. Returns their names. */
export function dropPartitions(db: Kysely<Database>, table: MonthlyTable, before: UnixMs): Promise<readonly string[]> {
  return drop(db, { table, before, onlyEmpty: false });
}

/** The same, of those partitions alone that have no rows any more. */
export function dropEmptyPartitions(
  db: Kysely<Database>,
  table: MonthlyTable,
  before: UnixMs,
): Promise<readonly string[]> {
  return drop(db, { table, before, onlyEmpty: true });
}

/** When the oldest month began that there is a partition of the journal for, in Unix ms; null without any. */
export async function oldestJournalMonth(db: Kysely<Database>): Promise<UnixMs | null> {
  const { rows } = await sql<{ began: number | null }>`
    select min(to_timestamp(right(relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC') as began
    from pg_partition_tree('journal_entry') join pg_class on oid = relid
    where isleaf and relname ~ '_[0-9]{4}_[0-9]{2}$'`.execute(db);
  return rows[0]?.began ?? null;
}

// Helpers

async function drop(
  db: Kysely<Database>,
  { table, before, onlyEmpty }: { table: MonthlyTable; before: UnixMs; onlyEmpty: boolean },
): Promise<readonly string[]> {
  const { rows } = await sql<{ dropped: string[] }>`
    select drop_month_partitions(${table}, ${new Date(before)}, ${onlyEmpty}) as dropped`.execute(db);
  return rows[0]?.dropped ?? [];
}
