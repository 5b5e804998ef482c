import { CompiledQuery, DummyDriver, type Kysely, PostgresDialect, Transaction } from 'kysely';
import { settleAll } from './settle-all.ts';

/**
 * Runs a pipelined transaction: statements are sent as they are issued, the first ones right behind
 * `begin`. Kysely passes the driver one statement of a transaction only after the response to the
 * previous one, so the statements of `settleAll` would cost one round trip each; here they cost one
 * in total, and the server still runs them in order. `begun` resolves when the server has begun the
 * transaction. All statements must have been awaited when `work` ends: use `settleAll`. A later
 * statement is rejected.
 *
 * The embedded database has no round trips and runs statements one after another.
 */
export function pipelinedTransaction<DB, T>(
  db: Kysely<DB>,
  work: (trx: Transaction<DB>, begun: Promise<unknown>) => Promise<T>,
): Promise<T> {
  const executor = db.getExecutor();
  return executor.provideConnection(async (connection) => {
    let isOver = false;
    let hasFailedToBegin = false;
    const atOnce = executor.withConnectionProvider({
      async provideConnection(send) {
        // It would be sent after the commit or rollback, as a separate transaction.
        if (isOver) throw new Error('a statement was issued after its transaction had ended');
        // Without a transaction each statement would commit separately.
        if (hasFailedToBegin) await begun;
        return send(connection);
      },
    });
    const begun = connection.executeQuery(CompiledQuery.raw('begin'));
    void begun.catch(() => {
      hasFailedToBegin = true;
    });
    try {
      const [, result] = await settleAll([begun, work(new Transaction<DB>({ ...UNUSED, executor: atOnce }), begun)]);
      isOver = true;
      await connection.executeQuery(CompiledQuery.raw('commit'));
      return result;
    } catch (error) {
      isOver = true;
      const hasBegun = await begun.then(
        () => true,
        () => false,
      );
      if (hasBegun) await connection.executeQuery(CompiledQuery.raw('rollback'));
      throw error;
    }
  });
}

// Helpers

const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction has its connection')) });

/** Properties of Kysely that are not used inside a transaction. */
const UNUSED = { config: { dialect }, dialect, driver: new DummyDriver() };
