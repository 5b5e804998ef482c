import { type Kysely, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Rights } from './role.ts';

/** A login with its credentials and second-factor state. */
export interface StoredUser extends Rights {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly sealedTotpSecret: string | null;
  readonly totpConfirmedAt: UnixMs | null;
  readonly totpLastStep: number | null;
  readonly disabledAt: UnixMs | null;
}

/** The login of an address, ignoring case; null when there is none. */
export async function findUserByEmail(db: Kysely<Database>, email: string): Promise<StoredUser | null> {
  const user = await db
    .selectFrom('merchant_user')
    .select(COLUMNS)
    .where(sql`lower(email)`, '=', sql`lower(${email.trim()})`)
    .executeTakeFirst();
  return user ?? null;
}

export async function findUserById(db: Kysely<Database>, userId: string): Promise<StoredUser | null> {
  if (!isId('usr', userId)) return null;
  const user = await db.selectFrom('merchant_user').select(COLUMNS).where('id', '=', userId).executeTakeFirst();
  return user ?? null;
}

/**
 * Locks a login until the commit, so that the checked fields cannot
 * change. Throws `USER_NOT_FOUND`.
 */
export async function lockUser(trx: Transaction<Database>, userId: string): Promise<StoredUser> {
  const user = await trx
    .selectFrom('merchant_user')
    .select(COLUMNS)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (user === undefined) throw userNotFound();
  return user;
}

/** A user of another account is reported as not found, so that the response reveals nothing. */
export function userNotFound(): TerminalError {
  return new TerminalError('USER_NOT_FOUND', 'User not found; see the list of users');
}

// Helpers

const COLUMNS = [
  'id',
  'merchant_id as merchantId',
  'email',
  'role',
  'password_hash as passwordHash',
  'sealed_totp_secret as sealedTotpSecret',
  'totp_confirmed_at as totpConfirmedAt',
  'totp_last_step as totpLastStep',
  'disabled_at as disabledAt',
] as const;
