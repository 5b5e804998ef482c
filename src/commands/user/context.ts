import type { Kysely } from 'kysely';
import { findUserByEmail } from '../../accounts/index.ts';
import { loadConfig } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';
import type { Change } from '../../merchants/index.ts';
import { changing } from '../key/context.ts';
import { withDatabase } from '../with-database.ts';

type Work<T> = (change: Change, userId: string) => Promise<T>;

/**
 * Changes the user with an email address. The audit log names the account that runs the command.
 * Throws a `TerminalError` `USER_NOT_FOUND`.
 */
export async function changingUser<T>(
  email: string,
  work: Work<T>,
): Promise<{ readonly userId: string; readonly result: T }> {
  return withDatabase(loadConfig(process.env), async (db) => {
    const userId = await requireUser(db, email);
    return { userId, result: await changing(db, (change) => work(change, userId)) };
  });
}

// Helpers

async function requireUser(db: Kysely<Database>, email: string): Promise<string> {
  const user = await findUserByEmail(db, email);
  if (user !== null) return user.id;
  throw new TerminalError(
    'USER_NOT_FOUND',
    'There is no login with this address; "quittance user list" shows who does',
  );
}
