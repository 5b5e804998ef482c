import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../event-types.ts';
import { NOT_SENT } from '../health/project-health.ts';

/** How the newest attempts at an endpoint went. Both times are the end of an attempt. */
export interface EndpointHealth {
  /** Null when no attempt has succeeded yet. */
  readonly lastSuccessAt: UnixMs | null;
  /** The newest failed attempt, even if a later one succeeded; null without one. */
  readonly lastFailure: {
    readonly deliveryId: string;
    readonly at: UnixMs;
    readonly kind: string;
    /** HTTP status of the response; null without one. */
    readonly status: number | null;
    /** Names, addresses and codes; never the path or query of the URL. */
    readonly detail: string;
  } | null;
  /** Failed attempts since the last success, among the newest deliveries. */
  readonly failuresInARow: number;
}

/**
 * Reads the health of each of the endpoints, by id; unknown ids are omitted. The cost does not grow
 * with the log.
 */
export async function readEndpointHealth(
  { db }: { readonly db: Kysely<Database> },
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, EndpointHealth>> {
  const { rows } = await healthStatement(endpointIds).execute(db);
  return new Map(rows.map((row) => [row.id, toHealth(row)]));
}

// Helpers

/**
 * Newest deliveries whose attempts are read; far more than fail before the merchant is notified.
 */
const RECENT_DELIVERIES = 50;
/** Newest successful deliveries read per event type; a late retry may succeed after newer ones. */
const RECENT_SUCCESSES = 10;

interface HealthRow {
  id: string;
  success_at: UnixMs | null;
  failures: number;
  failed_at: UnixMs | null;
  delivery_id: string | null;
  kind: string | null;
  status: number | null;
  detail: string | null;
}

function healthStatement(endpointIds: readonly string[]) {
  return sql<HealthRow>`
    select endpoint.id, success.at as success_at, failed.failures, failed.at as failed_at,
      newest.delivery_id, newest.failure as kind, newest.status, newest.failure_detail as detail
    from webhook_endpoint as endpoint
    cross join lateral (
      select max(taken.ended_at) as at
      from unnest(${[...WEBHOOK_EVENT_TYPES]}::text[]) as type (event)
      cross join lateral (
        select ended_at from webhook_delivery
        where endpoint_id = endpoint.id and event = type.event and state = 'delivered'
        order by created_at desc, id desc limit ${RECENT_SUCCESSES}
      ) as taken
    ) as success
    cross join lateral (
      select count(*) filter (where success.at is null or attempt.ended_at > success.at)::int4 as failures,
        max(attempt.ended_at) as at
      from (${failedAttempts()}) as attempt
    ) as failed
    left join lateral (
      select delivery_id, failure, status, failure_detail from (${failedAttempts()}) as attempt order by ended_at desc limit 1
    ) as newest on true
    where endpoint.id = any(${[...endpointIds]}::text[])`;
}

/** Failed attempts among the newest deliveries that tried to reach the endpoint. */
function failedAttempts() {
  return sql`
    select tried.delivery_id, tried.failure, tried.status, tried.failure_detail,
      tried.started_at + make_interval(secs => tried.duration_ms / 1000.0) as ended_at
    from (
      select id from webhook_delivery where endpoint_id = endpoint.id
      order by created_at desc, id desc limit ${RECENT_DELIVERIES}
    ) as recent
    join webhook_attempt as tried on tried.delivery_id = recent.id
    where tried.failure is not null and tried.failure <> all(${[...NOT_SENT]}::text[])`;
}

function toHealth(row: HealthRow): EndpointHealth {
  const { failed_at: at, delivery_id: deliveryId, kind, status, detail } = row;
  return {
    lastSuccessAt: row.success_at,
    lastFailure:
      at === null || deliveryId === null || kind === null
        ? null
        : { deliveryId, at, kind, status, detail: detail ?? '' },
    failuresInARow: row.failures,
  };
}
