import { type AuditedChange, writeAudit } from '../../merchants/index.ts';
import type { AccountsDeps, SignedInUser } from '../deps.ts';
import { notifyUser } from '../emails/notify-user.ts';
import { codeMissing, withCheckedFactors } from '../second-factor/with-both-factors.ts';
import { requirePassword } from '../sessions/confirm-password.ts';
import { endSessions } from '../sessions/sessions.ts';
import { findUserById, type StoredUser } from '../users/user-rows.ts';
import { checkPassword, hashPassword } from './password.ts';

export interface PasswordChange {
  readonly currentPassword: string;
  /** TOTP or recovery code; null for a user without a second factor. */
  readonly code: string | null;
  /** The new one. */
  readonly password: string;
  readonly email: string;
}

/**
 * Changes a user's own password and ends their other sessions. Requires both factors of a user who
 * has two. Throws what `checkPassword`, `requirePassword` and `withCheckedFactors` throw.
 */
export async function changePassword(
  deps: AccountsDeps,
  { userId, sessionId }: SignedInUser,
  { currentPassword, code, password, email }: PasswordChange,
): Promise<void> {
  checkPassword(password, email);
  const known = await findUserById(deps.db, userId);
  if (known !== null && known.totpConfirmedAt !== null && code === null) throw codeMissing();
  const checked = await requirePassword(deps, { userId, password: currentPassword, field: 'currentPassword' });
  // Hashing is expensive, so only after the throttle, and before a transaction holds the user.
  const passwordHash = await hashPassword(password);
  await withCheckedFactors(deps, { checked, code }, async (change, user) => {
    const sessionsEnded = await setPassword(change, user, { passwordHash, keepSessionId: sessionId });
    const details = { sessionsEnded };
    await writeAudit(change, {
      merchantId: user.merchantId,
      what: 'user.password_changed',
      subjectId: userId,
      details,
    });
  });
}

/**
 * Sets the password of a locked user: ends other sessions, revokes links to set a password, and
 * notifies the user. Returns the number of sessions ended.
 */
export async function setPassword(
  change: AuditedChange,
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
