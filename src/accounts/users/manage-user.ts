import { type AuditedChange, changeAs, userAuthor, writeAudit } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { AccountsDeps, SignedInUser } from '../deps.ts';
import { emailSecurityChange } from '../emails/email-security-change.ts';
import { endSessions } from '../sessions/sessions.ts';
import { checkRoleMatchesMerchant } from './create-user.ts';
import { forbidden } from './invite-user.ts';
import { lockPeers } from './lock-peers.ts';
import { mayManage, type UserRole } from './role.ts';
import { findUserById, lockUser, type StoredUser, userNotFound } from './user-rows.ts';

/** Omitted fields are unchanged. */
export interface UserChanges {
  readonly role?: UserRole;
  readonly isDisabled?: boolean;
}

/**
 * Changes another user's login. Users cannot change their own, so an account always keeps an owner.
 * Throws a `TerminalError`: `FORBIDDEN`, `USER_NOT_FOUND`, `OWN_LOGIN`, `INVALID_ROLE`.
 */
export async function manageUser(
  deps: AccountsDeps,
  signedIn: SignedInUser,
  userId: string,
  { role, isDisabled }: UserChanges,
): Promise<void> {
  await changeAs(deps, userAuthor(signedIn.userId), async (change) => {
    const target = await requireManaged(change.trx, signedIn, userId);
    if (userId === signedIn.userId) {
      throw new TerminalError('OWN_LOGIN', 'You cannot change your own login; ask another user who manages users');
    }
    const details: [name: string, value: string][] = [];
    if (role !== undefined && (await setRole(change, userId, role)))
      details.push(['Role', `${target.role}, now ${role}`]);
    if (isDisabled === true && (await disableUser(change, userId))) details.push(['Access', 'disabled']);
    if (isDisabled === false && (await enableUser(change, userId))) details.push(['Access', 'enabled']);
    if (details.length === 0) return;
    const login = ['Login', target.email] as const;
    await emailSecurityChange(change, signedIn, { subject: 'A login was changed', details: [login, ...details] });
  });
}

/**
 * A login that the signed-in user may manage. Locks the user and the other logins of the login's
 * merchant, or of the service. Throws a `TerminalError`: `FORBIDDEN`, `USER_NOT_FOUND`.
 */
export async function requireManaged(
  trx: AuditedChange['trx'],
  signedIn: SignedInUser,
  userId: string,
): Promise<StoredUser> {
  const target = await findUserById(trx, userId);
  const { signedIn: current } = await lockPeers(trx, signedIn, target?.merchantId ?? null);
  if (current.role !== 'owner' && current.role !== 'operator') throw forbidden();
  if (target === null) throw userNotFound();
  // Operators see every login; owners must not learn which logins others have.
  if (!mayManage(current, target)) throw current.role === 'operator' ? ofMerchant() : userNotFound();
  return target;
}

/**
 * Disables a login and ends its sessions. Returns false when it was disabled before; nothing
 * changes then. Throws `USER_NOT_FOUND`.
 */
export async function disableUser(change: AuditedChange, userId: string): Promise<boolean> {
  const { trx, now } = change;
  const user = await lockUser(trx, userId);
  if (user.disabledAt !== null) return false;
  await trx
    .updateTable('merchant_user')
    .set({ disabled_at: new Date(now) })
    .where('id', '=', userId)
    .execute();
  await trx.deleteFrom('account_token').where('user_id', '=', userId).execute();
  const details = { sessionsEnded: await endSessions(trx, { userId, now }) };
  await writeAudit(change, { merchantId: user.merchantId, what: 'user.disabled', subjectId: userId, details });
  return true;
}

/**
 * Enables a login again, with its former password. Returns false when it was enabled. Throws
 * `USER_NOT_FOUND`.
 */
async function enableUser(change: AuditedChange, userId: string): Promise<boolean> {
  const user = await lockUser(change.trx, userId);
  if (user.disabledAt === null) return false;
  await change.trx.updateTable('merchant_user').set({ disabled_at: null }).where('id', '=', userId).execute();
  await writeAudit(change, { merchantId: user.merchantId, what: 'user.enabled', subjectId: userId });
  return true;
}

// Helpers

function ofMerchant(): TerminalError {
  return new TerminalError(
    'FORBIDDEN',
    'A merchant’s owners manage its logins; if no owner is left, use `quittance user` on the server',
  );
}

/**
 * Changes a user's role within the same merchant or the service; sessions have it from their next
 * request. Returns false when the user had it before. Throws `USER_NOT_FOUND`, and `INVALID_ROLE`
 * for a role that does not belong there.
 */
async function setRole(change: AuditedChange, userId: string, role: UserRole): Promise<boolean> {
  const user = await lockUser(change.trx, userId);
  if (user.role === role) return false;
  const { merchantId } = user;
  checkRoleMatchesMerchant({ role, merchantId });
  await change.trx.updateTable('merchant_user').set({ role }).where('id', '=', userId).execute();
  const details = { from: user.role, to: role };
  await writeAudit(change, { merchantId, what: 'user.role_changed', subjectId: userId, details });
  return true;
}
