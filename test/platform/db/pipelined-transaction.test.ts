import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { pipelinedTransaction, settleAll } from '../../../src/platform/db/index.ts';
import { describeBothDatabases } from '../../support/database/test-database.ts';

describe('a transaction', () => {
  it('sends statements without a needed result early, right behind its begin and before its commit', async () => {
    const received: string[] = [];
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: slowPool(received) }) });
    const seen = await pipelinedTransaction(db, async (trx) => {
      const [one, two] = await settleAll([sql`select 1`.execute(trx), sql`select 2`.execute(trx)]);
      await sql`select 3`.execute(trx);
      return [one, two].map(({ rows }) => rows);
    });
    expect(seen).toEqual([[{ text: 'select 1' }], [{ text: 'select 2' }]]);
    expect(received.join(', ')).toBe(
      'sent begin, sent select 1, sent select 2, answered begin, answered select 1, answered select 2, ' +
        'sent select 3, answered select 3, sent commit, answered commit, released',
    );
  });

  it('sends nothing more once its begin was rejected: each statement would commit by itself', async () => {
    const sent: string[] = [];
    const query = async (text: string) => {
      sent.push(text);
      if (text === 'begin') throw new Error('canceling statement due to user request');
      return { command: 'SELECT' as const, rowCount: 0, rows: [] };
    };
    const pool = {
      connect: async () => ({ query, release: () => {} }),
      end: async () => {},
    } as unknown as PostgresPool;
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    const work = pipelinedTransaction(db, async (trx) => {
      await sql`select for update`.execute(trx);
      await settleAll([sql`update actor`.execute(trx), sql`insert into journal_entry`.execute(trx)]);
    });
    await expect(work).rejects.toThrow('canceling statement');
    expect(sent).toEqual(['begin', 'select for update']);
  });
});

describeBothDatabases('a transaction of statements sent together', (database) => {
  const insert = (gate: string) => sql`insert into watermark (gate, height) values (${gate}, 1)`;
  const gates = async () => {
    const rows = await database().db.selectFrom('watermark').select('gate').orderBy('gate').execute();
    return rows.map((row) => row.gate);
  };

  it('is committed as a whole or not at all, and its connection remains usable', async () => {
    const { db } = database();
    const fails = pipelinedTransaction(db, async (trx) => {
      await settleAll([insert('a').execute(trx), insert('b').execute(trx)]);
      throw new Error('no commit');
    });
    await expect(fails).rejects.toThrow('no commit');
    const repeats = pipelinedTransaction(db, (trx) =>
      settleAll([insert('a').execute(trx), insert('a').execute(trx), insert('b').execute(trx)]),
    );
    await expect(repeats).rejects.toMatchObject({ code: '23505' });
    expect(await gates()).toEqual([]);
    await pipelinedTransaction(db, (trx) => settleAll([insert('a').execute(trx), insert('b').execute(trx)]));
    expect(await gates()).toEqual(['a', 'b']);
  });

  it('leaves nothing of a chain that is not awaited when something else fails', async () => {
    const { db } = database();
    let chain: Promise<unknown> = Promise.resolve();
    const fails = pipelinedTransaction(db, async (trx) => {
      chain = (async () => {
        for (const gate of ['first', 'second', 'third', 'fourth']) await insert(gate).execute(trx);
      })();
      // Avoids an unhandled rejection: the result is checked below.
      chain.catch(() => undefined);
      throw new Error('something else');
    });
    await expect(fails).rejects.toThrow('something else');
    await expect(chain).rejects.toThrow();
    expect(await gates()).not.toEqual(expect.arrayContaining([expect.stringMatching(/first|second|third|fourth/)]));
  });

  it('rejects statements after its end', async () => {
    const { db } = database();
    const late = await pipelinedTransaction(db, async (trx) => () => insert('late').execute(trx));
    await expect(late()).rejects.toThrow();
    expect(await gates()).not.toContain('late');
  });
});

// Helpers

/** One connection that answers a statement with its own text, one event loop turn later. */
function slowPool(received: string[]): PostgresPool {
  async function query(text: string): Promise<unknown> {
    received.push(`sent ${text}`);
    await new Promise((resolve) => setImmediate(resolve));
    received.push(`answered ${text}`);
    return { command: 'SELECT', rowCount: 1, rows: [{ text }] };
  }
  return {
    connect: async () => ({ query: query as never, release: () => void received.push('released') }),
    end: async () => {},
  };
}
