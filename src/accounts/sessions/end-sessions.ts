import type { Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { changeAs, userAuthor, writeAudit } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { AccountsDeps, SignedInUser } from '../deps.ts';
import { isSessionId } from '../token.ts';
import { endSessionOf } from './sessions.ts';

/**
 * Ends every session and revokes every password link, because a restored database would let in
 * again users who have been signed out or disabled since. Returns the number of sessions.
 */
export async function endAllSessions(trx: Transaction<Database>, now: UnixMs): Promise<number> {
  await trx.deleteFrom('account_token').execute();
  const { numUpdatedRows } = await trx
    .updateTable('session')
    .set({ revoked_at: new Date(now) })
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Ends one of the user's own sessions. Throws a `TerminalError` `SESSION_NOT_FOUND`, also
 * when it has already ended.
 */
export async function revokeSession(
  deps: Pick<AccountsDeps, 'db' | 'clock'>,
  { userId, merchantId }: SignedInUser,
  sessionId: string,
): Promise<void> {
  if (!isSessionId(sessionId)) throw sessionNotFound();
  await changeAs(deps, userAuthor(userId), async (change) => {
    const { numUpdatedRows } = await change.trx
      .updateTable('session')
      .set({ revoked_at: new Date(change.now) })
      .where('id', '=', sessionId)
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw sessionNotFound();
    await writeAudit(change, { merchantId, what: 'session.ended', subjectId: sessionId });
  });
}

/** Ends the session of a token; no error when it has already ended. */
export async function signOut({ db, clock }: Pick<AccountsDeps, 'db' | 'clock'>, token: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const now = clock.now();
    const ended = await endSessionOf(trx, { token, now });
    if (ended === null) return;
    const { sessionId, userId, merchantId } = ended;
    const change = { trx, who: userAuthor(userId), now };
    await writeAudit(change, { merchantId, what: 'session.ended', subjectId: sessionId });
  });
}

// Helpers

function sessionNotFound(): TerminalError {
  return new TerminalError('SESSION_NOT_FOUND', 'Session not found or already ended; reload the list');
}
