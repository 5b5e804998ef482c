import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { WARN_AFTER_MS } from './decide.ts';

/**
 * Host and port of each endpoint of a merchant's live events that has failed for an hour or was
 * disabled because of it.
 */
export async function listFailingEndpoints(
  db: Kysely<Database>,
  { merchantId, now }: { readonly merchantId: string; readonly now: UnixMs },
): Promise<readonly string[]> {
  const { rows } = await sql<{ url: string }>`
    select url from webhook_endpoint
    where merchant_id = ${merchantId} and deleted_at is null and modes @> '["live"]'
      and (enabled and failing_since <= ${new Date(now - WARN_AFTER_MS[0])} or disabled_because = 'failing')
    order by url`.execute(db);
  return rows.map(({ url }) => new URL(url).host);
}
