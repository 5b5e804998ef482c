import { sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { hashToken } from '../../platform/hash-token.ts';
import type { AccountsDeps } from '../deps.ts';
import { recoveryCodesLeft } from '../second-factor/recovery-codes.ts';
import { isToken } from '../token.ts';
import type { UserRole } from '../users/role.ts';
import { isSessionOpen, SEEN_EVERY_MS } from './sessions.ts';

/** The user of a session, as currently stored: a changed role takes effect immediately. */
export interface Session {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly role: UserRole;
  readonly merchant: { readonly id: string; readonly name: string } | null;
  readonly hasTotp: boolean;
  readonly recoveryCodes: number;
}

/**
 * The session of a token; null when the token is not valid, for any reason. Using the session
 * extends its idle timeout.
 */
export async function findSession(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  token: string,
): Promise<Session | null> {
  if (!isToken(token)) return null;
  const now = clock.now();
  const row = await db
    .selectFrom('session')
    .innerJoin('merchant_user', 'merchant_user.id', 'session.user_id')
    .leftJoin('merchant', 'merchant.id', 'merchant_user.merchant_id')
    .select([
      'session.id as session_id',
      'session.last_seen_at',
      'merchant_user.id as user_id',
      'merchant_user.email',
      'merchant_user.role',
      'merchant_user.merchant_id',
      'merchant.name',
      'merchant_user.totp_confirmed_at',
      recoveryCodesLeft().as('recovery_codes'),
    ])
    .where('session.token_hash', '=', hashToken(token))
    .where('merchant_user.disabled_at', 'is', null)
    .where(isSessionOpen(now))
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.last_seen_at <= now - SEEN_EVERY_MS) await recordUse(db, row.session_id, now);
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    email: row.email,
    role: row.role,
    merchant: row.merchant_id === null ? null : { id: row.merchant_id, name: row.name ?? '' },
    hasTotp: row.totp_confirmed_at !== null,
    recoveryCodes: row.recovery_codes,
  };
}

// Helpers

/**
 * At most one write per minute, however many requests. A session that has just ended is unchanged.
 */
async function recordUse(db: AccountsDeps['db'], sessionId: string, now: UnixMs): Promise<void> {
  await sql`
    update session set last_seen_at = ${new Date(now)} where id in (
      select id from session
      where id = ${sessionId} and revoked_at is null and last_seen_at <= ${new Date(now - SEEN_EVERY_MS)}
      for update skip locked
    )`.execute(db);
}
