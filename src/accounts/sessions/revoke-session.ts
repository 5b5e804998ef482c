import { TerminalError } from '../../errors.ts';
import { writeAudit } from '../../merchants/index.ts';
import { type AccountsDeps, type Actor, changingAs } from '../deps.ts';
import { isSessionId } from '../token.ts';

/**
 * Ends one of the user's own sessions. Throws a `TerminalError` `SESSION_NOT_FOUND`, also
 * when it has already ended.
 */
export async function revokeSession(
  deps: Pick<AccountsDeps, 'db' | 'clock'>,
  { userId, merchantId }: Actor,
  sessionId: string,
): Promise<void> {
  if (!isSessionId(sessionId)) throw sessionNotFound();
  await changingAs(deps, userId, async (change) => {
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

// Helpers

function sessionNotFound(): TerminalError {
  return new TerminalError('SESSION_NOT_FOUND', 'There is no such session, or it has ended; load the list again');
}
