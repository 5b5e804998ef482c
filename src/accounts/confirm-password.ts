import { TerminalError } from '../errors.ts';
import type { Change } from '../merchants/index.ts';
import { type AccountsDeps, changingAs } from './deps.ts';
import { verifyPassword } from './password.ts';
import { ACCOUNT_LIMIT, forgetAttempts, takeAttempt, throttleKey } from './throttle.ts';
import { findUserById, lockUser, type StoredUser, userNotFound } from './user-rows.ts';

/**
 * Does what a session alone is not enough for: a browser somebody left open must not be able to take the account over. `work` is
 * given the user, locked, whose password this still is. Throws a `TerminalError` `WRONG_PASSWORD` or `TOO_MANY_ATTEMPTS`;
 * guesses are counted apart from those of signing in.
 */
export async function withPassword<T>(
  deps: AccountsDeps,
  { userId, password, field = 'password' }: { userId: string; password: string; field?: string },
  work: (change: Change, user: StoredUser) => Promise<T>,
): Promise<T> {
  const checked = await findUserById(deps.db, userId);
  if (checked === null) throw userNotFound();
  const account = throttleKey.passwordsAgain(userId);
  await takeAttempt(deps, account, ACCOUNT_LIMIT);
  if (!(await verifyPassword(checked.passwordHash, password))) throw wrongPassword(field);
  await forgetAttempts(deps.db, account);
  return changingAs(deps, userId, async (change) => {
    const user = await lockUser(change.trx, userId);
    if (user.passwordHash !== checked.passwordHash || user.disabledAt !== null) throw wrongPassword(field);
    return work(change, user);
  });
}

// Helpers

function wrongPassword(field: string): TerminalError {
  return new TerminalError('WRONG_PASSWORD', `${field} is wrong: type the password you sign in with`, { field });
}
