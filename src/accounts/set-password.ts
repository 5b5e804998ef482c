import type { Change } from '../merchants/index.ts';
import { endSessions } from './sessions.ts';
import { tellUser } from './tell-user.ts';
import type { StoredUser } from './user-rows.ts';

/**
 * Gives a locked user another password, with all that follows: other sessions end, links to set one stop working, and the owner
 * of the login is told. Returns how many sessions ended.
 */
export async function setPassword(
  change: Change,
  user: StoredUser,
  { passwordHash, keepSessionId }: { readonly passwordHash: string; readonly keepSessionId: string | null },
): Promise<number> {
  const { trx, now } = change;
  await trx.updateTable('merchant_user').set({ password_hash: passwordHash }).where('id', '=', user.id).execute();
  await trx.deleteFrom('account_token').where('user_id', '=', user.id).execute();
  const sessionsEnded = await endSessions(trx, { userId: user.id, keepId: keepSessionId, now });
  // Somebody who was invited has just chosen the first one.
  if (user.passwordHash !== null) await tellUser(change, user, 'password_changed');
  return sessionsEnded;
}
