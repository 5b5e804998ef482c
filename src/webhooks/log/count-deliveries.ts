import { type Kysely, sql } from 'kysely';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../event-types.ts';
import { isSubscribed } from '../modes.ts';

/** Delivery statistics of an endpoint. */
export interface DeliveryCounts {
  /** Deliveries started in the last 24 hours, by outcome. */
  readonly delivered: number;
  readonly failed: number;
  /** Deliveries waiting for their next attempt, whenever they were started. */
  readonly waiting: number;
  /** Events missed since it was disabled; 0 while it is enabled. A replay sends them. */
  readonly held: number;
}

/**
 * Counting stops here, per state and event type. For a disabled endpoint, only this many of the
 * merchant's newest events are scanned.
 */
export const MAX_COUNTED = 10_000;

/**
 * How long before `disabled_at` an event that missed the endpoint can be stamped, in ms: its commit
 * stamps it before it looks for endpoints, and other processes have other clocks. Events that found
 * the endpoint enabled have a delivery.
 */
const STAMPED_BEFORE_MS = MINUTE_MS;

/**
 * Counts for each of the endpoints, by id. The cost is proportional to the number counted, at most
 * `MAX_COUNTED` per state and event type.
 */
export async function countDeliveries(
  { db, clock }: { readonly db: Kysely<Database>; readonly clock: Clock },
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryCounts>> {
  const { rows } = await countStatement(endpointIds, clock.now()).execute(db);
  return new Map(rows.map(({ id, delivered, failed, waiting, held }) => [id, { delivered, failed, waiting, held }]));
}

// Helpers

interface CountRow extends DeliveryCounts {
  readonly id: string;
}

function countStatement(endpointIds: readonly string[], now: UnixMs) {
  const dayAgo = sql`to_timestamp(${now - DAY_MS}::int8 / 1000.0)`;
  return sql<CountRow>`
    select endpoint.id, logged.delivered, logged.failed, logged.waiting, coalesce(missed.held, 0) as held
    from webhook_endpoint as endpoint
    cross join lateral (
      select count(*) filter (where state = 'delivered')::int4 as delivered,
        count(*) filter (where state = 'failed')::int4 as failed, count(*) filter (where state = 'waiting')::int4 as waiting
      from unnest(${[...WEBHOOK_EVENT_TYPES]}::text[]) as type (event)
      cross join unnest(array['delivered', 'failed', 'waiting']) as leaf (state)
      cross join lateral (
        select 1 from webhook_delivery
        where endpoint_id = endpoint.id and event = type.event and state = leaf.state
          and created_at >= case when leaf.state = 'waiting' then '-infinity' else ${dayAgo} end
        limit ${MAX_COUNTED}
      ) as one
    ) as logged
    left join lateral (
      select count(*)::int4 as held
      from (
        select id, event, mode, is_test from webhook_event
        where merchant_id = endpoint.merchant_id and created_at >= greatest(
          endpoint.created_at, endpoint.disabled_at - ${STAMPED_BEFORE_MS} * interval '1 millisecond'
        )
        order by created_at desc, id desc limit ${MAX_COUNTED}
      ) as event_row
      where ${isSubscribed('endpoint', 'event_row')} and not exists (
        select 1 from webhook_delivery where webhook_event_id = event_row.id and endpoint_id = endpoint.id
      )
    ) as missed on not endpoint.enabled and endpoint.disabled_at is not null
    where endpoint.id = any(${[...endpointIds]}::text[])`;
}
