import type { Kysely } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { EndpointOfMerchant } from '../endpoints/endpoint.ts';
import type { DeliveryView } from './delivery-view.ts';
import { type DeliveryFilter, listStatement } from './list-statement.ts';

export interface DeliveryListRequest extends DeliveryFilter {
  readonly limit: number;
  /** Cursor: id of a delivery of the endpoint; only older ones are returned. */
  readonly before?: string;
}

export interface DeliveryPage {
  readonly deliveries: readonly DeliveryView[];
  /** Whether older ones follow. */
  readonly hasMore: boolean;
}

/**
 * A page of an endpoint's deliveries, newest first, also of a deleted endpoint. Throws a
 * `TerminalError`: `WEBHOOK_ENDPOINT_NOT_FOUND`, or `INVALID_REQUEST` when `before` is not a
 * delivery of the endpoint.
 */
export async function listDeliveries(
  { db }: { readonly db: Kysely<Database> },
  { merchantId, endpointId }: EndpointOfMerchant,
  { limit, before, ...filter }: DeliveryListRequest,
): Promise<DeliveryPage> {
  await requireLoggedEndpoint(db, { merchantId, endpointId });
  const { transactionId } = filter;
  if (transactionId !== undefined && !isId('txn', transactionId)) return { deliveries: [], hasMore: false };
  if (before !== undefined) await requireDelivery(db, endpointId, before);
  // One extra row shows whether there is another page.
  const requested = { endpointId, limit: limit + 1, before: before ?? null };
  const { rows } = await listStatement(requested, filter).execute(db);
  return { deliveries: rows.slice(0, limit), hasMore: rows.length > limit };
}

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

// Helpers

async function requireDelivery(db: Kysely<Database>, endpointId: string, deliveryId: string): Promise<void> {
  const delivery = db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('id', '=', deliveryId)
    .where('endpoint_id', '=', endpointId);
  // Text that is not an id may contain characters that Postgres rejects.
  if (isId('dlv', deliveryId) && (await delivery.executeTakeFirst()) !== undefined) return;
  const message = 'before must be the delivery_id of a delivery of this endpoint, from an earlier page';
  throw new TerminalError('INVALID_REQUEST', message, { field: 'before' });
}
