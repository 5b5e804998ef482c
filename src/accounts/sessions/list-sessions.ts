import type { UnixMs } from '../../../machines/index.ts';
import type { AccountsDeps, SignedInUser } from '../deps.ts';
import { isSessionOpen, MAX_OPEN_SESSIONS } from './sessions.ts';

export interface ListedSession {
  readonly id: string;
  readonly createdAt: UnixMs;
  readonly lastSeenAt: UnixMs;
  readonly userAgent: string;
  readonly isThisOne: boolean;
}

/** A user's sessions, most recently used first. */
export async function listSessions(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  { userId, sessionId }: Pick<SignedInUser, 'userId' | 'sessionId'>,
): Promise<readonly ListedSession[]> {
  const rows = await db
    .selectFrom('session')
    .select(['id', 'created_at', 'last_seen_at', 'user_agent'])
    .where('user_id', '=', userId)
    .where(isSessionOpen(clock.now()))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(MAX_OPEN_SESSIONS)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    userAgent: row.user_agent,
    isThisOne: row.id === sessionId,
  }));
}
