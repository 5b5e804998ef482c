import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
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
  const row = await db
    .selectFrom('merchant_user')
    .select(COLUMNS)
    .where(sql`lower(email)`, '=', sql`lower(${email.trim()})`)
    .executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

export async function findUserById(db: Kysely<Database>, userId: string): Promise<StoredUser | null> {
  if (!isId('usr', userId)) return null;
  const row = await db.selectFrom('merchant_user').select(COLUMNS).where('id', '=', userId).executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

/**
 * Locks a login until the commit, so that the checked fields cannot
 * change. Throws `USER_NOT_FOUND`.
 */
export async function lockUser(trx: Transaction<Database>, userId: string): Promise<StoredUser> {
  const row = await trx
    .selectFrom('merchant_user')
    .select(COLUMNS)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw userNotFound();
  return toUser(row);
}

/** A user of another account is reported as not found, so that the response reveals nothing. */
export function userNotFound(): TerminalError {
  return new TerminalError('USER_NOT_FOUND', 'User not found; see the list of users');
}

// Helpers

const COLUMNS = [
  'id',
  'merchant_id',
  'email',
  'role',
  'password_hash',
  'sealed_totp_secret',
  'totp_confirmed_at',
  'totp_last_step',
  'disabled_at',
] as const;

function toUser(row: Pick<Selectable<Database['merchant_user']>, (typeof COLUMNS)[number]>): StoredUser {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    email: row.email,
    role: row.role,
    passwordHash: row.password_hash,
    sealedTotpSecret: row.sealed_totp_secret,
    totpConfirmedAt: row.totp_confirmed_at,
    totpLastStep: row.totp_last_step,
    disabledAt: row.disabled_at,
  };
}
