import type { Kysely } from 'kysely';
import type { Clock } from '../../../clock.ts';
import type { Member } from '../../../console/index.ts';
import { type Database, whileDatabaseAnswers } from '../../../db/index.ts';
import type { Change } from '../../../merchants/index.ts';

/** Changes something in one transaction with its entry in the audit, in the name of the member. Rejects with `RetryableError` without database. */
export function changeAs<T>(
  { db, clock }: { readonly db: Kysely<Database>; readonly clock: Clock },
  { userId }: Member,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return whileDatabaseAnswers(() =>
    db.transaction().execute((trx) => work({ trx, who: `user ${userId}`, now: clock.now() })),
  );
}
