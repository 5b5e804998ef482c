import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { PREPARED } from '../../../src/platform/db/index.ts';
import { createPostgresDatabase, describePostgres } from '../../support/database/test-database.ts';

describePostgres('Statements on a server', () => {
  it('are prepared once per connection when they are set-based or marked, and left alone when their text grows', async () => {
    const { db, drop } = await createPostgresDatabase();
    try {
      const prepared = await db.connection().execute(async (connection) => {
        for (const ids of [['a'], ['a', 'b'], ['c']]) {
          await sql`select id from actor where id = any(${ids}::text[])`.execute(connection);
          await connection.selectFrom('actor').select('id').where('id', 'in', ids).execute();
          await sql`${PREPARED} select 1`.execute(connection);
        }
        const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
          connection,
        );
        return rows.map((row) => row.statement);
      });
      expect(prepared.toSorted()).toEqual([
        '/* prepared */ select 1',
        'select id from actor where id = any($1::text[])',
      ]);
    } finally {
      await drop();
    }
  });

  it('continue after one of them failed and its transaction was rolled back', async () => {
    const { db, drop } = await createPostgresDatabase();
    try {
      await db.connection().execute(async (connection) => {
        const insert = (gates: string[]) =>
          sql`insert into watermark (gate, height) select gate, 1 from unnest(${gates}::text[]) as fresh (gate)`;
        const failing = connection.transaction().execute(async (trx) => {
          await insert(['one']).execute(trx);
          await insert(['one']).execute(trx);
        });
        await expect(failing).rejects.toMatchObject({ code: '23505' });
        await insert(['one', 'two']).execute(connection);
        const rows = await connection.selectFrom('watermark').select('gate').orderBy('gate').execute();
        expect(rows.map((row) => row.gate)).toEqual(['one', 'two']);
      });
    } finally {
      await drop();
    }
  });
});
