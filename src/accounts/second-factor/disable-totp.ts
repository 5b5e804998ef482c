import { type Change, writeAudit } from '../../merchants/index.ts';
import type { AccountsDeps, Actor } from '../deps.ts';
import { notifyUser } from '../mails/notify-user.ts';
import type { StoredUser } from '../users/user-rows.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';
import { type BothFactors, withBothFactors } from './with-both-factors.ts';

/**
 * Turns off a user's own authenticator app and deletes its recovery codes. Throws what
 * `withBothFactors` throws.
 */
export async function disableTotp(deps: AccountsDeps, actor: Actor, factors: BothFactors): Promise<void> {
  await withBothFactors(deps, actor, factors, removeTotp);
}

/** Removes the second factor of a locked user and notifies them. */
export async function removeTotp(change: Change, user: StoredUser): Promise<void> {
  const { id: userId, merchantId } = user;
  await change.trx
    .updateTable('merchant_user')
    .set({ sealed_totp_secret: null, totp_confirmed_at: null, totp_last_step: null })
    .where('id', '=', userId)
    .execute();
  await deleteRecoveryCodes(change.trx, userId);
  await writeAudit(change, { merchantId, what: 'user.totp_disabled', subjectId: userId });
  await notifyUser(change, user, 'totp_disabled');
}
