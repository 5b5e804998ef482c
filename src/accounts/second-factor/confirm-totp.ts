import { writeAudit } from '../../merchants/index.ts';
import { type AccountsDeps, type Actor, changingAs } from '../deps.ts';
import { notifyUser } from '../mails/notify-user.ts';
import { endSessions } from '../sessions/sessions.ts';
import { wrongCode } from '../sessions/sign-in.ts';
import { CODE_LIMIT, forgetAttempts, takeAttempt, throttleKey } from '../throttle.ts';
import { lockUser } from '../users/user-rows.ts';
import { totpIsOff, totpIsOn } from './begin-totp.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { isTotpCode, totpContext, totpStepOf } from './totp.ts';

/**
 * Turns the authenticator app on after one valid code. Returns the recovery codes, once. Ends the
 * sessions that began without a second factor, except the current one. Throws a `TerminalError`
 * `WRONG_CODE`, `TOTP_IS_ON`, `TOTP_IS_OFF` or `TOO_MANY_ATTEMPTS`.
 */
export async function confirmTotp(
  deps: AccountsDeps,
  { userId, sessionId }: Actor,
  code: string,
): Promise<readonly string[]> {
  await takeAttempt(deps, throttleKey.codesOf(userId), CODE_LIMIT);
  const codes = await changingAs(deps, userId, async (change) => {
    const { trx, now } = change;
    const user = await lockUser(trx, userId);
    if (user.totpConfirmedAt !== null) throw totpIsOn();
    if (user.sealedTotpSecret === null) throw totpIsOff();
    const typed = code.replace(/\s/g, '');
    const secret = deps.secretBox.open(user.sealedTotpSecret, totpContext(userId));
    const step = isTotpCode(typed) ? totpStepOf(secret, typed, now) : null;
    if (step === null) throw wrongCode();
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
