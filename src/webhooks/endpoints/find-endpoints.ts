import type { Kysely } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { type EndpointOfMerchant, notFound, toEndpoint, type WebhookEndpoint } from './endpoint.ts';

/** The endpoints of a merchant that are not deleted, oldest first. */
export async function listEndpoints(db: Kysely<Database>, merchantId: string): Promise<WebhookEndpoint[]> {
  const rows = await living(db, merchantId).orderBy('created_at').orderBy('id').execute();
  return rows.map(toEndpoint);
}

/**
 * Throws a `TerminalError` `WEBHOOK_ENDPOINT_NOT_FOUND`, also when it is deleted or another
 * merchant's.
 */
export async function getEndpoint(
  db: Kysely<Database>,
  { merchantId, endpointId }: EndpointOfMerchant,
): Promise<WebhookEndpoint> {
  const row = await living(db, merchantId).where('id', '=', endpointId).executeTakeFirst();
  return row === undefined ? notFound(endpointId) : toEndpoint(row);
}

/** The merchant's endpoint with this URL, compared in normalised form; null when there is none. */
export async function findEndpoint(
  db: Kysely<Database>,
  { merchantId, url }: { merchantId: string; url: string },
): Promise<WebhookEndpoint | null> {
  const row = await living(db, merchantId)
    .where('url', '=', URL.canParse(url) ? new URL(url).href : url)
    .executeTakeFirst();
  return row === undefined ? null : toEndpoint(row);
}

// Helpers

function living(db: Kysely<Database>, merchantId: string) {
  return db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('deleted_at', 'is', null);
}
