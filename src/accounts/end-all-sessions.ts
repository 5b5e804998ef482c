import type { Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';

/**
 * Ends every session and takes back every link to set a password: a restored database lets in again whoever was signed out since, or
 * had their login disabled. Returns how many sessions.
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
