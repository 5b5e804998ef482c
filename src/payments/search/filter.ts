import type { Kysely } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import type { Scope } from '../view/get-transaction.ts';
import { findByText } from './find-by-text.ts';
import type { ListConditions } from './list-conditions.ts';

/** Filters of a payment search; all specified ones must match. */
export interface PaymentSearch
  extends Pick<ListConditions, 'status' | 'exception' | 'crypto' | 'type' | 'createdFrom' | 'createdTo'> {
  /** See `findByText`. */
  readonly text?: string | undefined;
}

/** The search as conditions of the list. */
export async function conditionsOf(
  db: Kysely<Database>,
  scope: Scope,
  { status, exception, crypto, type, createdFrom, createdTo, text }: PaymentSearch,
): Promise<ListConditions> {
  const found = text === undefined ? {} : await findByText(db, scope, text);
  return { status, exception, crypto, type, createdFrom, createdTo, ...found };
}
