import { sql, type Transaction } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { hashToken } from '../../platform/hash-token.ts';
import { timestamp } from '../timestamp.ts';
import { isToken, newSessionId, newToken } from '../token.ts';

/** Idle timeout of a session. */
export const IDLE_MS = 12 * HOUR_MS;
/** Longest lifetime of a session. */
export const MAX_SESSION_MS = 30 * DAY_MS;
/** Open sessions of one user; no user has as many browsers. */
export const MAX_OPEN_SESSIONS = 100;
/** Precision of the last use of a session. */
export const SEEN_EVERY_MS = MINUTE_MS;

export interface StartedSession {
  readonly sessionId: string;
  /** For the cookie; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: UnixMs;
}

/** Starts a session with a new token; a token that the browser had before is never reused. */
export async function startSession(
  trx: Transaction<Database>,
  { userId, userAgent, networkHash, now }: { userId: string; userAgent: string; networkHash: string; now: UnixMs },
): Promise<StartedSession> {
  const [sessionId, token, expiresAt] = [newSessionId(), newToken(), now + MAX_SESSION_MS];
  await trx.deleteFrom('session').where('user_id', '=', userId).where('expires_at', '<=', timestamp(now)).execute();
  await trx
    .insertInto('session')
    .values({
      id: sessionId,
      token_hash: hashToken(token),
      user_id: userId,
      user_agent: printable(userAgent),
      network_hash: networkHash,
      created_at: new Date(now),
      last_seen_at: new Date(now),
      expires_at: new Date(expiresAt),
    })
    .execute();
  return { sessionId, token, expiresAt };
}

/**
 * Ends the sessions of a user, except `keepId`. Returns how many were open in the database; the
 * caller writes that to the audit.
 */
export async function endSessions(
  trx: Transaction<Database>,
  { userId, keepId = null, now }: { userId: string; keepId?: string | null; now: UnixMs },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('session')
    .set({ revoked_at: new Date(now) })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .$if(keepId !== null, (query) => query.where('id', '!=', keepId ?? ''))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Ends the sessions of a locked user that were not used for the longest time, so that no more than
 * `MAX_OPEN_SESSIONS` stay open, `keepId` among them. Returns their ids.
 */
export async function endOldestSessions(
  trx: Transaction<Database>,
  { userId, keepId, now }: { userId: string; keepId: string; now: UnixMs },
): Promise<readonly string[]> {
  const ended = await trx
    .updateTable('session')
    .set({ revoked_at: new Date(now) })
    .where('id', 'in', (query) =>
      query
        .selectFrom('session')
        .select('id')
        .where('user_id', '=', userId)
        .where('id', '!=', keepId)
        .where(isSessionOpen(now))
        .orderBy('last_seen_at', 'desc')
        .orderBy('id')
        .offset(MAX_OPEN_SESSIONS - 1),
    )
    .returning('id')
    .execute();
  return ended.map(({ id }) => id);
}

/** Ends the open session of a token and returns it; null when there is none. */
export async function endSessionOf(
  trx: Transaction<Database>,
  { token, now }: { token: string; now: UnixMs },
): Promise<{ readonly sessionId: string; readonly userId: string; readonly merchantId: string | null } | null> {
  if (!isToken(token)) return null;
  const row = await trx
    .updateTable('session')
    .from('merchant_user')
    .set({ revoked_at: new Date(now) })
    .whereRef('merchant_user.id', '=', 'session.user_id')
    .where('token_hash', '=', hashToken(token))
    .where('revoked_at', 'is', null)
    .returning(['session.id', 'session.user_id', 'merchant_user.merchant_id'])
    .executeTakeFirst();
  return row === undefined ? null : { sessionId: row.id, userId: row.user_id, merchantId: row.merchant_id };
}

/** SQL: whether the session in the row is valid at this time. */
export function isSessionOpen(now: UnixMs) {
  return sql<boolean>`session.revoked_at is null and session.expires_at > ${new Date(now)}
    and session.last_seen_at > ${new Date(now - IDLE_MS)}`;
}

// Helpers

const MAX_USER_AGENT_CHARACTERS = 300;

/** Untrusted text without control characters, shortened. */
function printable(text: string): string {
  return text.replace(/\p{C}+/gu, ' ').slice(0, MAX_USER_AGENT_CHARACTERS);
}
