import type { Kysely } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { EndpointOfMerchant } from '../endpoints/endpoint.ts';

/**
 * Throws a `TerminalError` `WEBHOOK_ENDPOINT_NOT_FOUND`. Accepts a deleted endpoint: its log stays.
 */
export async function requireLoggedEndpoint(
  db: Kysely<Database>,
  { merchantId, endpointId }: EndpointOfMerchant,
): Promise<void> {
  const row = await db
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('id', '=', endpointId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (row !== undefined) return;
  throw new TerminalError('WEBHOOK_ENDPOINT_NOT_FOUND', `There is no webhook endpoint ${endpointId}.`);
}
