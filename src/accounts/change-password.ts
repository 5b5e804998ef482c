import { writeAudit } from '../merchants/index.ts';
import { withPassword } from './confirm-password.ts';
import type { AccountsDeps, Actor } from './deps.ts';
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
  const passwordHash = await hashPassword(password);
  await withPassword(deps, { userId, password: currentPassword, field: 'currentPassword' }, async (change, user) => {
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
