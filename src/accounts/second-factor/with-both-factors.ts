import type { Change } from '../../merchants/index.ts';
import type { AccountsDeps, Actor } from '../deps.ts';
import { withPassword } from '../sessions/confirm-password.ts';
import { wrongCode } from '../sessions/sign-in.ts';
import { CODE_LIMIT, forgetAttempts, takeAttempt, throttleKey } from '../throttle.ts';
import type { StoredUser } from '../users/user-rows.ts';
import { totpIsOff } from './begin-totp.ts';
import { checkCode } from './check-code.ts';

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
  { userId }: Actor,
  { password, code }: BothFactors,
  work: (change: Change, user: StoredUser) => Promise<T>,
): Promise<T> {
  await takeAttempt(deps, throttleKey.codesOf(userId), CODE_LIMIT);
  const result = await withPassword(deps, { userId, password }, async (change, user) => {
    if (user.totpConfirmedAt === null) throw totpIsOff();
    if (!(await checkCode(change, deps.secretBox, user, code))) throw wrongCode();
    return work(change, user);
  });
  await forgetAttempts(deps.db, throttleKey.codesOf(userId));
  return result;
}
