import { DummyDriver, type Kysely, PostgresDialect, Transaction } from 'kysely';

/**
 * Runs a pipelined transaction: statements are sent as they are issued. Kysely passes the driver
 * one statement of a transaction only after the response to the previous one, so the statements of
 * `together` would cost one round trip each; here they cost one in total, and the server still runs
 * them in order. All statements must have been awaited when `work` ends: use `together`. A later
 * statement is rejected.
 *
 * The embedded database has no round trips and runs statements one after another.
 */
export function pipelinedTransaction<DB, T>(db: Kysely<DB>, work: (trx: Transaction<DB>) => Promise<T>): Promise<T> {
  return db.transaction().execute((serial) => {
    const executor = serial.getExecutor();
    return executor.provideConnection(async (connection) => {
      let isOver = false;
      const atOnce = executor.withConnectionProvider({
        async provideConnection(send) {
          // It would be sent after the commit or rollback, as a separate transaction.
          if (isOver) throw new Error('a statement came after the work of its transaction was over');
          return send(connection);
        },
      });
      try {
        return await work(new Transaction<DB>({ ...UNUSED, executor: atOnce }));
      } finally {
        isOver = true;
      }
    });
  });
}

// Helpers

const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction has its connection')) });

/** Properties of Kysely that are not used inside a transaction. */
const UNUSED = { config: { dialect }, dialect, driver: new DummyDriver() };
