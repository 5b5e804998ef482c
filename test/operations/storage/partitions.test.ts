import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import {
  dropEmptyPartitions,
  dropPartitions,
  MONTHLY_TABLES,
  type MonthlyTable,
  makePartitions,
} from '../../../src/operations/storage/month-partitions.ts';
import { describeDatabases } from '../../support/database/test-database.ts';

/** A time without partitions of other tests or migrations, with attempts old enough to drop. */
const NOW = Date.UTC(2021, 10, 30, 23, 59);

describeDatabases('monthly partitions', (database) => {
  const partitionsOf = async (table: MonthlyTable, year: number) => {
    const { rows } = await sql<{ name: string }>`
      select relid::regclass::text as name from pg_partition_tree(${table}::regclass)
      where isleaf and relid::regclass::text like ${`${table}_${year}_%`} order by name`.execute(database().db);
    return rows.map(({ name }) => name);
  };
  const countIn = async (table: string) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int8 as count from ${sql.table(table)}`.execute(
      database().db,
    );
    return rows[0]?.count;
  };
  const attempt = (startedAt: number, deliveryId = 'dlv_1') =>
    database()
      .db.insertInto('webhook_attempt')
      .values({ delivery_id: deliveryId, attempt: 1, started_at: new Date(startedAt), duration_ms: 1 })
      .execute();

  afterEach(async () => {
    await sql`delete from webhook_attempt`.execute(database().db);
    for (const table of MONTHLY_TABLES) await dropEmptyPartitions(database().db, table, Date.UTC(2040, 0));
  });

  test('are created once for this month and the next three, for every table', async () => {
    for (const table of MONTHLY_TABLES) {
      expect(await makePartitions(database().db, table, NOW)).toBe(0);
      expect(await makePartitions(database().db, table, NOW)).toBe(0);
      expect((await partitionsOf(table, 2021)).slice(-2)).toEqual([`${table}_2021_11`, `${table}_2021_12`]);
      expect(await partitionsOf(table, 2022)).toEqual([`${table}_2022_01`, `${table}_2022_02`]);
    }
  });

  test('are created in the archive for every month of the journal, so that no actor is archived into the default partition', async () => {
    await sql`select make_month_partitions('journal_entry', ${new Date(Date.UTC(2019, 4, 3))}, ${new Date(NOW)})`.execute(
      database().db,
    );
    expect(await makePartitions(database().db, 'actor_archive', NOW)).toBe(0);
    expect(await partitionsOf('actor_archive', 2019)).toHaveLength(8);
    expect(await partitionsOf('actor_archive', 2019)).toContain('actor_archive_2019_05');
  });

  test('can be created by several processes at once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => makePartitions(database().db, 'journal_entry', NOW)));
    expect(await partitionsOf('journal_entry', 2021)).toHaveLength(2);
  });

  test('take over rows written while there was none, month by month, without loss or duplicates', async () => {
    const moments = [Date.UTC(2020, 5, 1), Date.UTC(2020, 5, 30, 23, 59, 59, 999), Date.UTC(2020, 6, 1), NOW];
    for (const [index, moment] of moments.entries()) await attempt(moment, `dlv_${index}`);
    expect(await countIn('webhook_attempt_default')).toBe(4);
    expect(await makePartitions(database().db, 'webhook_attempt', NOW)).toBe(4);
    expect(await countIn('webhook_attempt_default')).toBe(0);
    expect(await countIn('webhook_attempt_2020_06')).toBe(2);
    expect(await countIn('webhook_attempt_2020_07')).toBe(1);
    const rows = await database().db.selectFrom('webhook_attempt').select('started_at').orderBy('started_at').execute();
    expect(rows.map((row) => row.started_at)).toEqual(moments);
    // New rows go to the right partition.
    await attempt(NOW + 1, 'dlv_9');
    expect(await countIn('webhook_attempt_2021_11')).toBe(2);
  });

  test('are dropped after their month, and not a moment sooner', async () => {
    await makePartitions(database().db, 'webhook_attempt', NOW);
    const end = Date.UTC(2021, 11, 1);
    expect(await dropPartitions(database().db, 'webhook_attempt', end - 1)).not.toContain('webhook_attempt_2021_11');
    expect(await dropPartitions(database().db, 'webhook_attempt', end)).toEqual(['webhook_attempt_2021_11']);
  });

  test('with rows are kept when only empty ones may be dropped', async () => {
    await makePartitions(database().db, 'webhook_attempt', NOW);
    await attempt(NOW);
    const later = Date.UTC(2022, 0);
    expect(await dropEmptyPartitions(database().db, 'webhook_attempt', later)).toContain('webhook_attempt_2021_12');
    expect(await countIn('webhook_attempt_2021_11')).toBe(1);
    await sql`delete from webhook_attempt`.execute(database().db);
    expect(await dropEmptyPartitions(database().db, 'webhook_attempt', later)).toEqual(['webhook_attempt_2021_11']);
  });

  test('are created and dropped for partitioned tables only', async () => {
    await expect(sql`select make_month_partitions('actor', now(), now())`.execute(database().db)).rejects.toThrow(
      /no rows/,
    );
    const { rows } = await sql`select drop_month_partitions('actor', now(), true) as dropped`.execute(database().db);
    expect(rows).toEqual([{ dropped: [] }]);
  });

  test.each([
    ['journal_entry', NOW],
    ['actor_archive', NOW],
    ['webhook_attempt', Date.now() - 5 * DAY_MS],
  ] as const)('of %s are never dropped with rows of %d', async (table, before) => {
    await makePartitions(database().db, table, NOW);
    await expect(dropPartitions(database().db, table, before)).rejects.toThrow('only attempts are dropped');
    expect(await partitionsOf(table, 2021)).toHaveLength(2);
  });

  test('are not considered empty by a snapshot from before they had rows', async () => {
    await makePartitions(database().db, 'webhook_attempt', NOW);
    const drop = database()
      .db.transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => dropEmptyPartitions(trx, 'webhook_attempt', Date.UTC(2022, 0)));
    await expect(drop).rejects.toThrow('read committed');
  });
});
