import { type AuditedChange, writeAudit } from '../../merchants/index.ts';
import { newPassword } from '../../platform/secrets/index.ts';
import { forgetPasswordAttempts } from '../throttle.ts';
import { type CreatedUser, createUser } from '../users/create-user.ts';
import type { Rights } from '../users/role.ts';
import { lockUser } from '../users/user-rows.ts';
import { setPassword } from './change-password.ts';
import { hashPassword } from './password.ts';

/**
 * Creates a login with a generated password for the caller to hand over; it cannot be shown again.
 * Throws what `createUser` throws.
 */
export async function createUserWithPassword(
  change: AuditedChange,
  user: Rights & { readonly email: string },
): Promise<CreatedUser & { readonly password: string }> {
  const password = newPassword();
  const created = await createUser(change, { ...user, passwordHash: await hashPassword(password) });
  return { ...created, password };
}

/**
 * Replaces a lost password with a generated one and ends every session. Throws `USER_NOT_FOUND`.
 */
export async function replacePassword(change: AuditedChange, userId: string): Promise<string> {
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  const user = await lockUser(change.trx, userId);
  const sessionsEnded = await setPassword(change, user, { passwordHash, keepSessionId: null });
  const details = { sessionsEnded };
  await forgetPasswordAttempts(change.trx, user.email);
  await writeAudit(change, { merchantId: user.merchantId, what: 'user.password_reset', subjectId: userId, details });
  return password;
}
