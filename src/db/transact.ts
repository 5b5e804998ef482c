import { DummyDriver, type Kysely, PostgresDialect, Transaction } from 'kysely';

/**
 * Runs a transaction whose statements leave for the server as they are made. Kysely hands the driver one statement of a transaction
 * only after the answer to the one before, so what `together` sends would cost as many round trips as it has
 * statements; here it costs one, and the server still runs them in the order they were made. Statements that need an answer wait for it
 * themselves. All of them must have been awaited when `work` ends: use `together`. One that comes later is refused.
 *
 * The embedded database has no round trips, and runs them one after another as before.
 */
export function transact<DB, T>(db: Kysely<DB>, work: (trx: Transaction<DB>) => Promise<T>): Promise<T> {
  return db.transaction().execute((serial) => {
    const executor = serial.getExecutor();
    return executor.provideConnection(async (connection) => {
      let isOver = false;
      const atOnce = executor.withConnectionProvider({
        async provideConnection(send) {
          // It would be sent behind the commit or the rollback, and be a transaction of its own.
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

/** Parts of a Kysely that only one with a pool of its own asks. */
const UNUSED = { config: { dialect }, dialect, driver: new DummyDriver() };
