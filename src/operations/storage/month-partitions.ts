import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';

export const MONTHLY_TABLES = ['journal_entry', 'webhook_attempt', 'actor_archive'] as const;
export type MonthlyTable = (typeof MONTHLY_TABLES)[number];

/** Months created ahead. If the worker stops for longer, rows go to the default partitions. */
const MONTHS_AHEAD = 3;

/**
 * Creates the partitions of the current and the next months, and of every month with rows in the
 * default partition; for the archive also of all months in which actors with a journal were
 * created. Returns the number of rows moved out of the default partition. Any number of processes
 * may run it concurrently. Rejects when a table cannot be locked immediately, without any change.
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

/**
 * Drops, with their rows, the partitions of months that ended before a given
 * time. Returns their names.
 */
export function dropPartitions(db: Kysely<Database>, table: MonthlyTable, before: UnixMs): Promise<readonly string[]> {
  return drop(db, { table, before, onlyEmpty: false });
}

/** As `dropPartitions`, but only partitions without rows. */
export function dropEmptyPartitions(
  db: Kysely<Database>,
  table: MonthlyTable,
  before: UnixMs,
): Promise<readonly string[]> {
  return drop(db, { table, before, onlyEmpty: true });
}

/** Start of the oldest month with a partition of the journal, in Unix ms; null without any. */
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
