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
