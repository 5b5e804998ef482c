import { type Change, writeAudit } from '../../merchants/index.ts';
import { endSessions } from '../sessions/sessions.ts';
import { lockUser } from './user-rows.ts';

/**
 * Disables a login and ends its sessions. Repeating it changes nothing. Throws `USER_NOT_FOUND`.
 */
export async function disableUser(change: Change, userId: string): Promise<void> {
  const { trx, now } = change;
  const user = await lockUser(trx, userId);
  if (user.disabledAt !== null) return;
  await trx
    .updateTable('merchant_user')
    .set({ disabled_at: new Date(now) })
    .where('id', '=', userId)
    .execute();
  await trx.deleteFrom('account_token').where('user_id', '=', userId).execute();
  const details = { sessionsEnded: await endSessions(trx, { userId, now }) };
  await writeAudit(change, { merchantId: user.merchantId, what: 'user.disabled', subjectId: userId, details });
}

/** Enables a login again, with its former password. Throws `USER_NOT_FOUND`. */
export async function enableUser(change: Change, userId: string): Promise<void> {
  const user = await lockUser(change.trx, userId);
  if (user.disabledAt === null) return;
  await change.trx.updateTable('merchant_user').set({ disabled_at: null }).where('id', '=', userId).execute();
  await writeAudit(change, { merchantId: user.merchantId, what: 'user.enabled', subjectId: userId });
}
