import type { Asker, Change } from '../../merchants/index.ts';
import type { MerchantDeps } from './deps.ts';
import type { Member } from './member.ts';

/** Makes a change and writes its audit entry, with the member as author, in one transaction. */
export function changeAs<T>(
  { db, clock }: Pick<MerchantDeps, 'db' | 'clock'>,
  member: Pick<Member, 'userId'>,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return db.transaction().execute((trx) => work({ ...askerOf({ clock }, member), trx }));
}

/** The member as audit author, for changes that need more than one transaction. */
export function askerOf({ clock }: Pick<MerchantDeps, 'clock'>, { userId }: Pick<Member, 'userId'>): Asker {
  return { who: `user ${userId}`, now: clock.now() };
}
