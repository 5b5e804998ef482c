import { sql, type Transaction } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { moment } from './moment.ts';
import { hashToken, isToken, newSessionId, newToken } from './token.ts';

/** A session nobody uses ends after this long. */
export const IDLE_MS = 12 * HOUR_MS;
/** And every session after this long. */
export const LONGEST_MS = 30 * DAY_MS;
/** How exactly it is known when a session was used last. */
export const SEEN_EVERY_MS = MINUTE_MS;

export interface StartedSession {
  readonly sessionId: string;
  /** Goes into the cookie; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: UnixMs;
}

/** Begins a session with a token of its own: none that a browser had before is ever taken up. */
export async function startSession(
  trx: Transaction<Database>,
  { userId, userAgent, networkHash, now }: { userId: string; userAgent: string; networkHash: string; now: UnixMs },
): Promise<StartedSession> {
  const [sessionId, token, expiresAt] = [newSessionId(), newToken(), now + LONGEST_MS];
  await trx.deleteFrom('session').where('user_id', '=', userId).where('expires_at', '<=', moment(now)).execute();
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

/** Ends the sessions of a user, all but `keepId`. Returns how many were open by what is stored; whoever ends them has that in the audit. */
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

/** Ends the session of a token, if there is one that has not ended; returns which, and whose. */
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

/** Whether the session in the row lets anybody in at this moment. */
export function isSessionOpen(now: UnixMs) {
  return sql<boolean>`session.revoked_at is null and session.expires_at > ${new Date(now)}
    and session.last_seen_at > ${new Date(now - IDLE_MS)}`;
}

// Helpers

const MAX_USER_AGENT_CHARACTERS = 300;

/** One line of a stranger's text. */
function printable(text: string): string {
  return text.replace(/\p{C}+/gu, ' ').slice(0, MAX_USER_AGENT_CHARACTERS);
}
