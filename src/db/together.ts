/**
 * Waits for statements that were sent together inside one transaction: for all of them, also when one fails. Rejecting at the
 * first failure would let the rollback overtake statements that are still to be sent, and those would then run outside
 * of any transaction. Throws what failed first; the failures that only follow from it say nothing.
 */
export async function together<T extends readonly Promise<unknown>[]>(
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
