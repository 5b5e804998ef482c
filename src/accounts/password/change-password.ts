import { writeAudit } from '../../merchants/index.ts';
import type { AccountsDeps, Actor } from '../deps.ts';
import { requirePassword, withCheckedPassword } from '../sessions/confirm-password.ts';
import { checkPassword, hashPassword } from './password.ts';
import { setPassword } from './set-password.ts';

/**
 * Changes a user's own password and ends their other sessions. Throws what `checkPassword`
 * and `withPassword` throw.
 */
export async function changePassword(
  deps: AccountsDeps,
  { userId, sessionId }: Actor,
  { currentPassword, password, email }: { currentPassword: string; password: string; email: string },
): Promise<void> {
  checkPassword(password, email);
  const checked = await requirePassword(deps, { userId, password: currentPassword, field: 'currentPassword' });
  // Hashing is expensive, so only after the throttle, and before a transaction holds the user.
  const passwordHash = await hashPassword(password);
  await withCheckedPassword(deps, checked, async (change, user) => {
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
