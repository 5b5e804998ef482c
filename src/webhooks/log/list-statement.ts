import { type RawBuilder, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../event-types.ts';
import { DELIVERY_COLUMNS, DELIVERY_STATES, type DeliveryState, type DeliveryView } from './delivery-view.ts';

export interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly event?: WebhookEventType;
  readonly transactionId?: string;
  /** Start of the range, inclusive. */
  readonly since?: UnixMs;
  /** End of the range, exclusive. */
  readonly until?: UnixMs;
}

export interface DeliveryRange {
  readonly endpointId: string;
  readonly limit: number;
  /** Only deliveries older than this one. */
  readonly before: string | null;
}

/**
 * A page of deliveries, newest first. The cost depends on the limit, not on the number of
 * deliveries: without state and event type one index provides the order; with one of them, the
 * ranges for each value of the other in a second index are merged. A transaction has few
 * deliveries.
 */
export function listStatement(range: DeliveryRange, filter: DeliveryFilter): RawBuilder<DeliveryView> {
  return sql<DeliveryView>`
    select ${DELIVERY_COLUMNS}
    from (
      select id, created_at from (${candidatesOf(range, filter)}) as candidate
      order by created_at desc, id desc limit ${range.limit}
    ) as page
    join webhook_delivery as delivery on delivery.id = page.id
    join webhook_event as event on event.id = delivery.webhook_event_id
    left join transaction_terms as terms on terms.id = event.transaction_id
    order by page.created_at desc, page.id desc`;
}

// Helpers

/** Ids and creation times of candidates for the page, with as few others as the indexes allow. */
function candidatesOf(range: DeliveryRange, filter: DeliveryFilter): RawBuilder<unknown> {
  const { state, event, transactionId } = filter;
  const newest = sql`order by created_at desc, id desc limit ${range.limit}`;
  if (transactionId !== undefined) {
    return sql`
      select logged.id, logged.created_at from webhook_event as event_row
      cross join lateral (
        select id, created_at from webhook_delivery
        where webhook_event_id = event_row.id and ${matches(range, filter)} ${ofType(filter)}
      ) as logged
      where event_row.transaction_id = ${transactionId}`;
  }
  if (state === undefined && event === undefined) {
    return sql`select id, created_at from webhook_delivery where ${matches(range, filter)} ${newest}`;
  }
  const states = state === undefined ? DELIVERY_STATES : [state];
  const events = event === undefined ? WEBHOOK_EVENT_TYPES : [event];
  return sql`
    select logged.id, logged.created_at
    from unnest(${[...events]}::text[]) as type (event) cross join unnest(${[...states]}::text[]) as leaf (state)
    cross join lateral (
      select id, created_at from webhook_delivery
      where ${matches(range, filter)} and event = type.event and state = leaf.state ${newest}
    ) as logged`;
}

function ofType({ state, event }: DeliveryFilter): RawBuilder<unknown> {
  const conditions = [
    ...(state === undefined ? [] : [sql`and state = ${state}`]),
    ...(event === undefined ? [] : [sql`and event = ${event}`]),
  ];
  return conditions.length === 0 ? sql`` : sql.join(conditions, sql` `);
}

function matches({ endpointId, before }: DeliveryRange, { since, until }: DeliveryFilter): RawBuilder<unknown> {
  const all = [sql`endpoint_id = ${endpointId}`];
  if (since !== undefined) all.push(sql`created_at >= to_timestamp(${since}::int8 / 1000.0)`);
  if (until !== undefined) all.push(sql`created_at < to_timestamp(${until}::int8 / 1000.0)`);
  // Compared in SQL, because timestamps in the database are finer than milliseconds.
  if (before !== null) {
    all.push(sql`(created_at, id) < ((select created_at from webhook_delivery where id = ${before}), ${before})`);
  }
  return sql.join(all, sql` and `);
}
