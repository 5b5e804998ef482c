import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/platform/db/index.ts';

/** Statistics appear in their views within a second of the transaction they count. */
export const STATISTICS_LAG_MS = 1_500;

/** Rows of each table, from its statistics. */
type Rows = ReadonlyMap<string, readonly [inserted: number, updated: number, deleted: number]>;

export async function readRows(db: Kysely<Database>): Promise<Rows> {
  await sleep(STATISTICS_LAG_MS);
  const { rows } = await sql<{ name: string; inserted: number; updated: number; deleted: number }>`
    select relname as name, n_tup_ins as inserted, n_tup_upd as updated, n_tup_del as deleted
    from pg_stat_user_tables`.execute(db);
  return new Map(rows.map(({ name, inserted, updated, deleted }) => [name, [inserted, updated, deleted]]));
}

export function difference(after: Rows, before: Rows): Rows {
  return new Map(
    [...after].map(([name, [inserted, updated, deleted]]) => {
      const [oldInserted = 0, oldUpdated = 0, oldDeleted = 0] = before.get(name) ?? [];
      return [name, [inserted - oldInserted, updated - oldUpdated, deleted - oldDeleted]];
    }),
  );
}

/** Per payment: all rows, and those of each table that has any. */
export function describeRows(rows: Rows, payments: number): string {
  const [inserted, updated, deleted] = [0, 1, 2].map((index) =>
    [...rows.values()].reduce((total, counts) => total + (counts[index] ?? 0), 0),
  );
  const each = [...rows]
    .map(([name, counts]) => [name, counts.map((count) => count / payments)] as const)
    .filter(([, counts]) => counts.some((count) => count >= 0.05))
    .map(([name, counts]) => `${name} ${counts.map((count) => count.toFixed(1)).join('/')}`);
  const per = (count = 0) => (count / payments).toFixed(1);
  return `${per(inserted)} inserted, ${per(updated)} updated, ${per(deleted)} deleted (${each.join(', ')})`;
}
