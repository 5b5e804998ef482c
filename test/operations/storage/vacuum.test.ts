import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { vacuumEmbedded } from '../../../src/operations/storage/storage-worker.ts';
import { saveWatermark } from '../../../src/platform/engine/index.ts';
import { START_MS } from '../../support/clock.ts';
import { createEmbeddedDatabase } from '../../support/database/embedded-database.ts';
import { createPostgresDatabase, describePostgres } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';

const ROWS = 2_000;
const WRITES = 500;
const FEW_PAGES = 8 * 8_192;

describe('the embedded database, vacuumed by the service only,', () => {
  test('does not grow by inserted and deleted rows', async () => {
    const { db, drop } = await createEmbeddedDatabase();
    const size = async () => {
      const { rows } = await sql<{ size: number }>`select pg_relation_size('outbox_message') as size`.execute(db);
      return rows[0]?.size ?? 0;
    };
    const churn = async () => {
      await sql`
        insert into outbox_message (id, queue, partition, data)
        select 'm' || n, 'q', 0, '{}' from generate_series(1, ${ROWS}::int4) as n`.execute(db);
      await sql`delete from outbox_message`.execute(db);
      await vacuumEmbedded(db);
    };
    await churn();
    const once = await size();
    for (let turn = 0; turn < 5; turn += 1) await churn();
    expect(await size()).toBeLessThanOrEqual(once);
    await drop();
  });
});

describePostgres('a row that is updated repeatedly', () => {
  test('stays in few pages and hardly touches an index: the new version reuses the space of an older one', async () => {
    const database = await createPostgresDatabase();
    const { db } = database;
    for (let turn = 0; turn < WRITES; turn += 1) {
      await saveWatermark(db, { gate: 'some-network', reachedAt: START_MS + turn, height: turn });
    }
    const { rows } = await sql<{ size: number }>`select pg_relation_size('watermark') as size`.execute(db);
    expect(rows[0]?.size).toBeLessThanOrEqual(FEW_PAGES);
    // A session's statistics are reported within a second of being idle.
    await expect
      .poll(async () => {
        await sql`select pg_stat_clear_snapshot()`.execute(db);
        const { rows: counts } = await sql<{ updated: number; hot: number }>`
          select n_tup_upd as updated, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'watermark'`.execute(
          db,
        );
        const [{ updated, hot } = { updated: 0, hot: 0 }] = counts;
        return updated === WRITES - 1 ? hot / updated : null;
      }, POLLING)
      .toBeGreaterThan(0.9);
    await database.drop();
  });
});
