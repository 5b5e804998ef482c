import { changeAs, userAuthor, writeAudit } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { AccountsDeps, SignedInUser } from '../deps.ts';
import { notifyUser } from '../emails/notify-user.ts';
import { withPassword } from '../sessions/confirm-password.ts';
import { endSessions } from '../sessions/sessions.ts';
import { CODE_LIMIT, countAttempt, forgetAttempts, throttleKey } from '../throttle.ts';
import { findUserById, lockUser } from '../users/user-rows.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { isTotpCode, newTotpSecret, totpContext, totpStepOf, totpUri } from './totp.ts';

export interface BegunTotp {
  /** Base32, for apps that cannot scan. */
  readonly secret: string;
  /** Content of the QR code. */
  readonly uri: string;
}

/**
 * Creates the secret of an authenticator app. It takes effect once one of its codes has been
 * verified. Throws a `TerminalError` `TOTP_IS_ON` when another one is active, and what
 * `withPassword` throws.
 */
export async function beginTotp(deps: AccountsDeps, { userId }: SignedInUser, password: string): Promise<BegunTotp> {
  return withPassword(deps, { userId, password }, async (change, user) => {
    if (user.totpConfirmedAt !== null) throw totpIsOn();
    const secret = newTotpSecret();
    await change.trx
      .updateTable('merchant_user')
      .set({ sealed_totp_secret: deps.secretBox.seal(secret, totpContext(userId)), totp_last_step: null })
      .where('id', '=', userId)
      .execute();
    await writeAudit(change, { merchantId: user.merchantId, what: 'user.totp_begun', subjectId: userId });
    return { secret, uri: totpUri(secret, user.email) };
  });
}

function totpIsOn(): TerminalError {
  return new TerminalError('TOTP_IS_ON', 'An authenticator app is already set up; turn it off before you add another');
}

export function totpIsOff(): TerminalError {
  return new TerminalError('TOTP_IS_OFF', 'No authenticator app setup is in progress; start the setup first');
}

/**
 * Turns the authenticator app on after one valid code. Returns the recovery codes, once. Ends the
 * sessions that began without a second factor, except the current one. Throws a `TerminalError`
 * `WRONG_CODE`, `TOTP_IS_ON`, `TOTP_IS_OFF` or `TOO_MANY_ATTEMPTS`.
 */
export async function confirmTotp(
  deps: AccountsDeps,
  { userId, sessionId }: SignedInUser,
  code: string,
): Promise<readonly string[]> {
  // Before it counts: the thief of a session could otherwise use up the owner's attempts.
  const known = await findUserById(deps.db, userId);
  if (known !== null && known.totpConfirmedAt !== null) throw totpIsOn();
  await countAttempt(deps, throttleKey.codesOf(userId), CODE_LIMIT);
  const codes = await changeAs(deps, userAuthor(userId), async (change) => {
    const { trx, now } = change;
    const user = await lockUser(trx, userId);
    if (user.totpConfirmedAt !== null) throw totpIsOn();
    if (user.sealedTotpSecret === null) throw totpIsOff();
    const typed = code.replace(/\s/g, '');
    const secret = deps.secretBox.open(user.sealedTotpSecret, totpContext(userId));
    const step = isTotpCode(typed) ? totpStepOf(secret, typed, now) : null;
    if (step === null) throw wrongFirstCode();
    await trx
      .updateTable('merchant_user')
      .set({ totp_confirmed_at: new Date(now), totp_last_step: step })
      .where('id', '=', userId)
      .execute();
    await endSessions(trx, { userId, keepId: sessionId, now });
    await writeAudit(change, { merchantId: user.merchantId, what: 'user.totp_confirmed', subjectId: userId });
    await notifyUser(change, user, 'totp_confirmed');
    return replaceRecoveryCodes(trx, userId, now);
  });
  await forgetAttempts(deps.db, throttleKey.codesOf(userId));
  return codes;
}

// Helpers

/** Recovery codes do not exist yet. */
function wrongFirstCode(): TerminalError {
  return new TerminalError('WRONG_CODE', 'That code is wrong or expired. Enter the code your app shows now.', {
    field: 'code',
  });
}
