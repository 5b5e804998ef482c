import type { Kysely } from 'kysely';
import type { Clock } from '../../../clock.ts';
import type { Member } from '../../../console/index.ts';
import { type Database, whileDatabaseAnswers } from '../../../db/index.ts';
import type { Asker, Change } from '../../../merchants/index.ts';

/**
 * Makes a change and writes its audit entry, with the member as author, in one transaction. Rejects
 * with `RetryableError` when the database is unavailable.
 */
export function changeAs<T>(
  { db, clock }: { readonly db: Kysely<Database>; readonly clock: Clock },
  member: Pick<Member, 'userId'>,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return whileDatabaseAnswers(() => db.transaction().execute((trx) => work({ ...askerOf({ clock }, member), trx })));
}

/** The member as audit author, for changes that need more than one transaction. */
export function askerOf({ clock }: { readonly clock: Clock }, { userId }: Pick<Member, 'userId'>): Asker {
  return { who: `user ${userId}`, now: clock.now() };
}
