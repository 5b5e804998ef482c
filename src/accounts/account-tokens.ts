import type { Kysely, Transaction } from 'kysely';
import { DAY_MS, HOUR_MS, type UnixMs } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { hashToken } from '../platform/hash-token.ts';
import { timestamp } from './timestamp.ts';
import { isToken, newToken } from './token.ts';

export type TokenPurpose = 'invitation' | 'password_reset';

/** Lifetime of links in emails. */
export const LINK_LIFE_MS: Readonly<Record<TokenPurpose | 'sign_up', number>> = {
  invitation: 7 * DAY_MS,
  password_reset: HOUR_MS,
  sign_up: DAY_MS,
};

/**
 * Creates a token to set a password. It replaces earlier tokens of the same purpose, so that only
 * the newest email works; a reset does not replace an invitation, because anyone can request a
 * reset.
 */
export async function issueAccountToken(
  trx: Transaction<Database>,
  { userId, purpose, now }: { userId: string; purpose: TokenPurpose; now: UnixMs },
): Promise<string> {
  const token = newToken();
  await trx.deleteFrom('account_token').where('user_id', '=', userId).where('purpose', '=', purpose).execute();
  await trx
    .insertInto('account_token')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      purpose,
      created_at: new Date(now),
      expires_at: new Date(now + LINK_LIFE_MS[purpose]),
    })
    .execute();
  return token;
}

/** The user whose password the token sets. Throws `INVALID_LINK` when the token is not valid. */
export async function requireAccountToken(db: Kysely<Database>, token: string, now: UnixMs): Promise<string> {
  const row = isToken(token)
    ? await db
        .selectFrom('account_token')
        .select('user_id')
        .where('token_hash', '=', hashToken(token))
        .where('expires_at', '>', timestamp(now))
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw invalidLink();
  return row.user_id;
}

/** A used, expired or replaced link is indistinguishable from one that never existed. */
export function invalidLink(): TerminalError {
  return new TerminalError('INVALID_LINK', 'This link has expired or was already used. Request a new email.', {
    field: 'token',
  });
}
