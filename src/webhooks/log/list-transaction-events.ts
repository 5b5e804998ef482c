import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../event-types.ts';
import type { DeliveryState } from './delivery-view.ts';

/** An event of a transaction, with its delivery to each endpoint. */
interface TransactionEvent {
  readonly id: string;
  readonly event: string;
  readonly createdAt: UnixMs;
  /**
   * The oldest endpoint first. Empty when no endpoint was subscribed, or all subscribed ones had
   * been disabled.
   */
  readonly deliveries: readonly {
    readonly id: string;
    readonly endpointId: string;
    /** Host of the endpoint's URL. */
    readonly host: string;
    readonly state: DeliveryState;
    readonly attempt: number;
  }[];
}

/** More than any payment raises. */
const MAX_EVENTS = 200;

/**
 * The events of a transaction in the order they happened; empty for an unknown one or another
 * merchant's.
 */
export async function listTransactionEvents(
  { db }: { readonly db: Kysely<Database> },
  { merchantId, transactionId }: { readonly merchantId: string; readonly transactionId: string },
): Promise<TransactionEvent[]> {
  const { rows } = await sql<{
    id: string;
    event: string;
    created_at: number;
    deliveries: readonly (Omit<TransactionEvent['deliveries'][number], 'host'> & { readonly url: string })[];
  }>`
      select id, event, created_at, (
        select coalesce(jsonb_agg(jsonb_build_object('id', delivery.id, 'endpointId', delivery.endpoint_id,
          'url', endpoint.url, 'state', delivery.state, 'attempt', delivery.attempt)
          order by endpoint.created_at, endpoint.id, delivery.created_at, delivery.id), '[]'::jsonb)
        from webhook_delivery as delivery join webhook_endpoint as endpoint on endpoint.id = delivery.endpoint_id
        where delivery.webhook_event_id = event_row.id
      ) as deliveries
      from webhook_event as event_row
      where transaction_id = ${transactionId} and merchant_id = ${merchantId}
      order by created_at, (body::jsonb ->> 'sequence')::int4, id limit ${MAX_EVENTS}`.execute(db);
  return rows.map(({ id, event, created_at: createdAt, deliveries }) => ({
    id,
    event,
    createdAt,
    deliveries: deliveries.map(({ url, ...delivery }) => ({ ...delivery, host: new URL(url).host })),
  }));
}

/**
 * Whether any current endpoint of the merchant has ever accepted an event, real or test. Costs one
 * index lookup per endpoint and event type, however long the log is.
 */
export async function hasDelivered(db: Kysely<Database>, merchantId: string): Promise<boolean> {
  const { rows } = await sql`
      select 1 from webhook_endpoint as endpoint
      cross join unnest(${[...WEBHOOK_EVENT_TYPES]}::text[]) as type (event)
      cross join lateral (
        select 1 from webhook_delivery
        where endpoint_id = endpoint.id and event = type.event and state = 'delivered' limit 1
      ) as delivered
      where endpoint.merchant_id = ${merchantId} and endpoint.deleted_at is null
      limit 1`.execute(db);
  return rows.length > 0;
}
