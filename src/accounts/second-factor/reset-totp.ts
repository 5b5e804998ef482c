import type { AuditedChange } from '../../merchants/index.ts';
import { forgetAttempts, throttleKey } from '../throttle.ts';
import { lockUser } from '../users/user-rows.ts';
import { removeTotp } from './with-both-factors.ts';

/** Removes a user's lost second factor. Repeating it changes nothing. Throws `USER_NOT_FOUND`. */
export async function resetTotp(change: AuditedChange, userId: string): Promise<void> {
  const user = await lockUser(change.trx, userId);
  if (user.sealedTotpSecret === null) return;
  await removeTotp(change, user);
  await forgetAttempts(change.trx, throttleKey.codesOf(userId));
}
