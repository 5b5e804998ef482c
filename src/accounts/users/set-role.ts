import { type Change, writeAudit } from '../../merchants/index.ts';
import { checkPlace } from './create-user.ts';
import type { UserRole } from './role.ts';
import { lockUser } from './user-rows.ts';

/**
 * Changes a user's role within the same merchant or the service; sessions have it from their next
 * request. Throws `USER_NOT_FOUND`, and `INVALID_ROLE` for a role that does not belong there.
 */
export async function setRole(change: Change, userId: string, role: UserRole): Promise<void> {
  const user = await lockUser(change.trx, userId);
  if (user.role === role) return;
  const { merchantId } = user;
  checkPlace({ role, merchantId });
  await change.trx.updateTable('merchant_user').set({ role }).where('id', '=', userId).execute();
  const details = { from: user.role, to: role };
  await writeAudit(change, { merchantId, what: 'user.role_changed', subjectId: userId, details });
}
