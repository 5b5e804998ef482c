import { writeAudit } from '../../merchants/index.ts';
import { invalidLink, requireAccountToken } from '../account-tokens.ts';
import { type AccountsDeps, changingAs } from '../deps.ts';
import { moment } from '../moment.ts';
import { forgetPasswordAttempts, LINK_LIMIT, takeAttempt, throttleKey } from '../throttle.ts';
import { hashToken } from '../token.ts';
import { findUserById, lockUser } from '../users/user-rows.ts';
import { checkPassword, hashPassword } from './password.ts';
import { setPassword } from './set-password.ts';

/**
 * Sets a password with the link of a mail, once, and ends every session. The second
 * factor is kept. Throws a `TerminalError` `INVALID_LINK`, `TOO_MANY_ATTEMPTS`, and what
 * `checkPassword` throws; the link then stays valid.
 */
export async function resetPassword(
  deps: AccountsDeps,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const { db, clock } = deps;
  // Hashing a password is expensive: it needs a link and an acceptable password, and is counted.
  const userId = await requireAccountToken(db, token, clock.now());
  const found = await findUserById(db, userId);
  if (found === null || found.disabledAt !== null) throw invalidLink();
  checkPassword(password, found.email);
  await takeAttempt(deps, throttleKey.passwordsWith(token), LINK_LIMIT);
  const passwordHash = await hashPassword(password);
  const email = await changingAs(deps, userId, async (change) => {
    const user = await lockUser(change.trx, userId);
    const used = await change.trx
      .deleteFrom('account_token')
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', moment(change.now))
      .executeTakeFirst();
    if (used.numDeletedRows !== 1n || user.disabledAt !== null) throw invalidLink();
    const sessionsEnded = await setPassword(change, user, { passwordHash, keepSessionId: null });
    const details = { sessionsEnded };
    await writeAudit(change, { merchantId: user.merchantId, what: 'user.password_reset', subjectId: userId, details });
    return user.email;
  });
  // A user who can read the mail need not wait because of other people's attempts.
  await forgetPasswordAttempts(db, email);
}
