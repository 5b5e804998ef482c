import type { Kysely } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { UserRole } from './role.ts';

export interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly role: UserRole;
  readonly merchant: { readonly id: string; readonly name: string } | null;
  readonly hasTotp: boolean;
  /** Has not chosen a password yet. */
  readonly isInvited: boolean;
  readonly isDisabled: boolean;
  readonly createdAt: UnixMs;
}

/** Maximum number of users listed. */
const MAX_USERS = 1_000;

/** Logins of one merchant, or all when `merchantId` is null, in order of creation. */
export async function listUsers(
  db: Kysely<Database>,
  { merchantId }: { readonly merchantId: string | null },
): Promise<readonly ListedUser[]> {
  const rows = await db
    .selectFrom('merchant_user')
    .leftJoin('merchant', 'merchant.id', 'merchant_user.merchant_id')
    .select([
      'merchant_user.id',
      'merchant_user.email',
      'merchant_user.role',
      'merchant_user.merchant_id',
      'merchant.name',
      'merchant_user.totp_confirmed_at',
      'merchant_user.disabled_at',
      'merchant_user.created_at',
      (eb) => eb('merchant_user.password_hash', 'is', null).as('is_invited'),
    ])
    .$if(merchantId !== null, (query) => query.where('merchant_user.merchant_id', '=', merchantId))
    .orderBy('merchant_user.created_at')
    .orderBy('merchant_user.id')
    .limit(MAX_USERS)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    role: row.role,
    merchant: row.merchant_id === null ? null : { id: row.merchant_id, name: row.name ?? '' },
    hasTotp: row.totp_confirmed_at !== null,
    isInvited: Boolean(row.is_invited),
    isDisabled: row.disabled_at !== null,
    createdAt: row.created_at,
  }));
}

/**
 * Current email addresses of these users by user id, for users of the merchant, including disabled
 * ones. Permanent records name people by id, so their addresses disappear when a login is deleted.
 */
export async function emailsOfColleagues(
  db: Kysely<Database>,
  { merchantId, userIds }: { readonly merchantId: string; readonly userIds: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const uniqueIds = [...new Set(userIds)];
  if (uniqueIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('merchant_user')
    .select(['id', 'email'])
    .where('merchant_id', '=', merchantId)
    .where('id', 'in', uniqueIds)
    .execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}
