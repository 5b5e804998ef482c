import { type AuditedChange, writeAudit } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { AccountsDeps, SignedInUser } from '../deps.ts';
import { notifyUser } from '../emails/notify-user.ts';
import { type CheckedPassword, requirePassword, withCheckedPassword } from '../sessions/confirm-password.ts';
import { wrongCode } from '../sessions/sign-in.ts';
import { CODE_LIMIT, countAttempt, forgetAttempts, throttleKey } from '../throttle.ts';
import type { StoredUser } from '../users/user-rows.ts';
import { acceptCodeOnce } from './accept-code-once.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import { totpIsOff } from './set-up-totp.ts';

/** Password and code, required to change the second factor. */
export interface BothFactors {
  readonly password: string;
  /** TOTP or recovery code. */
  readonly code: string;
}

/**
 * Runs work that needs both factors. Throws `TOTP_IS_OFF` without a second factor, `WRONG_CODE`,
 * and what `withPassword` throws.
 */
export async function withBothFactors<T>(
  deps: AccountsDeps,
  { userId }: SignedInUser,
  { password, code }: BothFactors,
  work: (change: AuditedChange, user: StoredUser) => Promise<T>,
): Promise<T> {
  const checked = await requirePassword(deps, { userId, password });
  return withCheckedFactors(deps, { checked, code }, async (change, user) => {
    if (user.totpConfirmedAt === null) throw totpIsOff();
    return work(change, user);
  });
}

/**
 * `withCheckedPassword` that also requires the code of a user who has a second factor. The attempt
 * is counted only now, after the password: the thief of a session could otherwise use up the
 * owner's attempts. Throws `WRONG_CODE`, `TOO_MANY_ATTEMPTS`, and `INVALID_REQUEST` when the code
 * is missing.
 */
export async function withCheckedFactors<T>(
  deps: AccountsDeps,
  { checked, code }: { readonly checked: CheckedPassword; readonly code: string | null },
  work: (change: AuditedChange, user: StoredUser) => Promise<T>,
): Promise<T> {
  if (code !== null) await countAttempt(deps, throttleKey.codesOf(checked.user.id), CODE_LIMIT);
  const result = await withCheckedPassword(deps, checked, async (change, user) => {
    if (user.totpConfirmedAt === null) return work(change, user);
    if (code === null) throw codeMissing();
    if (!(await acceptCodeOnce(change, deps.secretBox, user, code))) throw wrongCode();
    return work(change, user);
  });
  if (code !== null) await forgetAttempts(deps.db, throttleKey.codesOf(checked.user.id));
  return result;
}

export function codeMissing(): TerminalError {
  return new TerminalError(
    'INVALID_REQUEST',
    'code is missing: send the six digits of the authenticator app, or a recovery code',
    { field: 'code' },
  );
}

/**
 * Turns off a user's own authenticator app and deletes its recovery codes. Throws what
 * `withBothFactors` throws.
 */
export async function disableTotp(deps: AccountsDeps, signedIn: SignedInUser, factors: BothFactors): Promise<void> {
  await withBothFactors(deps, signedIn, factors, removeTotp);
}

/** Removes the second factor of a locked user and notifies them. */
export async function removeTotp(change: AuditedChange, user: StoredUser): Promise<void> {
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

/**
 * Replaces the recovery codes and returns the new ones, once. Throws what `withBothFactors` throws.
 */
export async function regenerateRecoveryCodes(
  deps: AccountsDeps,
  signedIn: SignedInUser,
  factors: BothFactors,
): Promise<readonly string[]> {
  return withBothFactors(deps, signedIn, factors, async (change, { id: userId, merchantId }) => {
    await writeAudit(change, { merchantId, what: 'user.recovery_codes_made', subjectId: userId });
    return replaceRecoveryCodes(change.trx, userId, change.now);
  });
}
