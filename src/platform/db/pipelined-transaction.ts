import { CompiledQuery, DummyDriver, type Kysely, PostgresDialect, Transaction } from 'kysely';

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

/**
 * Waits for pipelined statements of one transaction: for all of them, even when one fails.
 * Rejecting at the first error would let the rollback overtake statements not yet sent, which would
 * then run outside of any transaction. Rejects with the first error that is not a consequence of
 * another one.
 */
export async function settleAll<T extends readonly Promise<unknown>[]>(
  statements: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(statements);
  const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  if (failures.length > 0) throw failures.find((failure) => !isAftermath(failure)) ?? failures[0];
  return settled.map((each) => (each.status === 'fulfilled' ? each.value : undefined)) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}

/** PostgreSQL's in_failed_sql_transaction: an earlier statement of the transaction has failed. */
function isAftermath(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '25P02';
}

// Helpers

const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction has its connection')) });

/** Properties of Kysely that are not used inside a transaction. */
const UNUSED = { config: { dialect }, dialect, driver: new DummyDriver() };
