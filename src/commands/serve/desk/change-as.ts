import type { Kysely } from 'kysely';
import type { Clock } from '../../../clock.ts';
import type { Member } from '../../../console/index.ts';
import { type Database, whileDatabaseAnswers } from '../../../db/index.ts';
import type { Asker, Change } from '../../../merchants/index.ts';

/** Changes something in one transaction with its entry in the audit, in the name of the member. Rejects with `RetryableError` without database. */
export function changeAs<T>(
  { db, clock }: { readonly db: Kysely<Database>; readonly clock: Clock },
  member: Pick<Member, 'userId'>,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return whileDatabaseAnswers(() => db.transaction().execute((trx) => work({ ...askerOf({ clock }, member), trx })));
}

/** The member, for the audit of what is not one transaction. */
export function askerOf({ clock }: { readonly clock: Clock }, { userId }: Pick<Member, 'userId'>): Asker {
  return { who: `user ${userId}`, now: clock.now() };
}
