import { writeAudit } from '../../merchants/index.ts';
import type { AccountsDeps } from '../deps.ts';
import { endSessionOf } from './sessions.ts';

/** Ends the session of a token; no error when it has already ended. */
export async function signOut({ db, clock }: Pick<AccountsDeps, 'db' | 'clock'>, token: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const now = clock.now();
    const ended = await endSessionOf(trx, { token, now });
    if (ended === null) return;
    const { sessionId, userId, merchantId } = ended;
    const change = { trx, who: `user ${userId}`, now };
    await writeAudit(change, { merchantId, what: 'session.ended', subjectId: sessionId });
  });
}
