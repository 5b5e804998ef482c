import type { Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';

/**
 * Ends every session and revokes every password link, because a restored database would let in
 * again users who have been signed out or disabled since. Returns the number of sessions.
 */
export async function endAllSessions(trx: Transaction<Database>, now: UnixMs): Promise<number> {
  await trx.deleteFrom('account_token').execute();
  const { numUpdatedRows } = await trx
    .updateTable('session')
    .set({ revoked_at: new Date(now) })
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
