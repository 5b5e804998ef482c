import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { settleAll } from '../../../src/platform/db/index.ts';
import { describeBothDatabases } from '../../support/database/test-database.ts';

describeBothDatabases('statements sent together', (database) => {
  const db = () => database().db;
  const insert = (gate: string) => sql`insert into watermark (gate, height) values (${gate}, 1)`;
  const broken = () => sql`insert into watermark (gate, height) values ('broken', 1 / 0)`;
  const gates = async () => (await db().selectFrom('watermark').select('gate').execute()).map((row) => row.gate);

  it('return in order, each seeing the writes of those before it', async () => {
    const count = sql<{ count: number }>`select count(*)::int4 as count from watermark where gate = 'seen'`;
    const [, { rows }] = await db()
      .transaction()
      .execute((trx) => settleAll([insert('seen').execute(trx), count.execute(trx)]));
    expect(rows).toEqual([{ count: 1 }]);
  });

  // Found by the engine's test suite: a rollback overtook the second statement of a chain, which
  // then ran outside the transaction.
  it('leave nothing behind when one of them fails, also if some send more later', async () => {
    const chain = async (execute: (gate: string) => Promise<unknown>) => {
      await execute('first');
      await execute('second');
      await execute('third');
    };
    const failing = db()
      .transaction()
      .execute((trx) => settleAll([broken().execute(trx), chain((gate) => insert(gate).execute(trx))]));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await gates()).not.toEqual(expect.arrayContaining([expect.stringMatching(/first|second|third|broken/)]));
  });

  it('fail with the cause, not with its consequences', async () => {
    const failing = db()
      .transaction()
      .execute((trx) =>
        settleAll([insert('before').execute(trx), broken().execute(trx), insert('after').execute(trx)]),
      );
    await expect(failing).rejects.toMatchObject({ code: '22012' });
  });
});
