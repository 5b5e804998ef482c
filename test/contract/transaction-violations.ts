import { violations } from './check.ts';
import { TRANSACTION } from './tables/transaction.ts';

/** Violations of the interface's tables in a transaction, including its payments and items. */
export function transactionViolations(transaction: unknown): string[] {
  return violations(transaction, { fields: TRANSACTION });
}
