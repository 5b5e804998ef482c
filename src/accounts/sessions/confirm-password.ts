import { type AuditedChange, changeAs, userAuthor } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { AccountsDeps } from '../deps.ts';
import { verifyPassword } from '../password/password.ts';
import { ACCOUNT_LIMIT, countAttempt, countRightPassword, forgetAttempts, throttleKey } from '../throttle.ts';
import { findUserById, lockUser, type StoredUser, userNotFound } from '../users/user-rows.ts';

/**
 * Runs `work` after checking the password, for changes that need more than a session: an
 * unattended browser must not be enough to take over the account. `work` receives the locked user.
 * Throws a `TerminalError` `WRONG_PASSWORD` or `TOO_MANY_ATTEMPTS`; attempts are counted
 * separately from sign-ins.
 */
export async function withPassword<T>(
  deps: AccountsDeps,
  again: PasswordAgain,
  work: (change: AuditedChange, user: StoredUser) => Promise<T>,
): Promise<T> {
  return withCheckedPassword(deps, await requirePassword(deps, again), work);
}

/** A password entered again by a signed-in user. */
export interface PasswordAgain {
  readonly userId: string;
  readonly password: string;
  /** Named in errors; `password` if omitted. */
  readonly field?: string;
}

/** The user as read when their password was checked. */
export interface CheckedPassword {
  readonly user: StoredUser;
  readonly field: string;
}

/** The first half of `withPassword`: counts an attempt and checks the password. */
export async function requirePassword(
  deps: AccountsDeps,
  { userId, password, field = 'password' }: PasswordAgain,
): Promise<CheckedPassword> {
  const checked = await findUserById(deps.db, userId);
  if (checked === null) throw userNotFound();
  const account = throttleKey.passwordsAgain(userId);
  await countAttempt(deps, account, ACCOUNT_LIMIT);
  const verify = () => verifyPassword(checked.passwordHash, password);
  if (!(await countRightPassword(deps, checked.email, verify))) throw wrongPassword(field);
  await forgetAttempts(deps.db, account);
  return { user: checked, field };
}

/** The second half: runs `work` unless the password was changed or the user disabled since. */
export async function withCheckedPassword<T>(
  deps: AccountsDeps,
  { user: checked, field }: CheckedPassword,
  work: (change: AuditedChange, user: StoredUser) => Promise<T>,
): Promise<T> {
  return changeAs(deps, userAuthor(checked.id), async (change) => {
    const user = await lockUser(change.trx, checked.id);
    if (user.passwordHash !== checked.passwordHash || user.disabledAt !== null) throw wrongPassword(field);
    return work(change, user);
  });
}

// Helpers

function wrongPassword(field: string): TerminalError {
  return new TerminalError('WRONG_PASSWORD', `${field} is wrong: enter the password you sign in with`, { field });
}
