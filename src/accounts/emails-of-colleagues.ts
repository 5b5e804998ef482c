import type { Kysely } from 'kysely';
import type { Database } from '../db/index.ts';

/**
 * E-mail addresses of these users as they are now, by user id; of those alone who belong to the merchant, disabled ones too. What is
 * kept for ever names people by their ids, and so forgets their addresses when a login is deleted.
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
