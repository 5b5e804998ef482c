import type { Change } from '../../merchants/index.ts';
import { notifyUser } from '../mails/notify-user.ts';
import { endSessions } from '../sessions/sessions.ts';
import type { StoredUser } from '../users/user-rows.ts';

/**
 * Sets the password of a locked user: ends other sessions, revokes links to set a password, and
 * notifies the user. Returns the number of sessions ended.
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
  // An invited user has just chosen their first password.
  if (user.passwordHash !== null) await notifyUser(change, user, 'password_changed');
  return sessionsEnded;
}
