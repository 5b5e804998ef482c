import type { AuditedChange } from '../../merchants/index.ts';
import { writeAudit } from '../../merchants/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { notifyUser } from '../emails/notify-user.ts';
import type { StoredUser } from '../users/user-rows.ts';
import { spendRecoveryCode } from './recovery-codes.ts';
import { isTotpCode, totpContext, totpStepOf } from './totp.ts';

/**
 * Checks a TOTP or recovery code and marks it as used. The user must be locked, so that of two
 * concurrent requests with the same code only the first succeeds.
 */
export async function acceptCodeOnce(
  change: AuditedChange,
  secretBox: SecretBox,
  user: StoredUser,
  code: string,
): Promise<boolean> {
  const typed = code.replace(/\s/g, '');
  return isTotpCode(typed) ? checkTotp(change, secretBox, user, typed) : checkRecoveryCode(change, user, typed);
}

// Helpers

async function checkTotp(
  { trx, now }: AuditedChange,
  secretBox: SecretBox,
  user: StoredUser,
  code: string,
): Promise<boolean> {
  const { id, sealedTotpSecret, totpLastStep } = user;
  if (sealedTotpSecret === null) return false;
  const step = totpStepOf(secretBox.open(sealedTotpSecret, totpContext(id)), code, now);
  // A code is accepted once and invalidates earlier ones (RFC 6238, 5.2).
  if (step === null || (totpLastStep !== null && step <= totpLastStep)) return false;
  await trx.updateTable('merchant_user').set({ totp_last_step: step }).where('id', '=', id).execute();
  return true;
}

async function checkRecoveryCode(change: AuditedChange, user: StoredUser, code: string): Promise<boolean> {
  const { id: userId, merchantId } = user;
  if (!(await spendRecoveryCode(change.trx, { userId, code, now: change.now }))) return false;
  await writeAudit(change, { merchantId, what: 'user.recovery_code_used', subjectId: userId });
  await notifyUser(change, user, 'recovery_code_used');
  return true;
}
