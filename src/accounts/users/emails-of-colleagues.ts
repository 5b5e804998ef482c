import type { Kysely } from 'kysely';
import type { Database } from '../../db/index.ts';

/**
 * Current e-mail addresses of these users by user id, for those who belong to the
 * merchant, disabled ones included. Permanent records name people by id, so their
 * addresses disappear when a login is deleted.
 */
export async function emailsOfColleagues(
  db: Kysely<Database>,
  { merchantId, userIds }: { readonly merchantId: string; readonly userIds: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(userIds)];
  if (wanted.length === 0) return new Map();
  const rows = await db
    .selectFrom('merchant_user')
    .select(['id', 'email'])
    .where('merchant_id', '=', merchantId)
    .where('id', 'in', wanted)
    .execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}
