import { violations } from './check.ts';
import { TRANSACTION } from './tables/transaction.ts';

/** What is wrong with a transaction of an answer, its payments and items included, by the table of the interface. */
export function transactionViolations(transaction: unknown): string[] {
  return violations(transaction, { fields: TRANSACTION });
}
