import { type RawBuilder, sql, type Transaction } from 'kysely';
import { DAY_MS, MINUTE_MS, SILENCE_HORIZON_MS, type UnixMs } from '../../../machines/index.ts';
import { type Database, disableScans } from '../../platform/db/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../event-types.ts';
import type { Evidence } from './decide.ts';
import { NOT_SENT } from './project-health.ts';

/**
 * How long before `since` an ended delivery can be created and still have attempts after it, in ms:
 * three days without any response, and a day in which no sender ran. After a longer outage of this
 * service such attempts are omitted, because no index orders deliveries by their end, or attempts
 * by endpoint. Unfinished deliveries are read regardless of their age.
 */
const DELIVERY_SPAN_MS = SILENCE_HORIZON_MS + DAY_MS;

/**
 * Margin in ms: `failing_since` is the commit time of a result, and the attempt started earlier,
 * possibly by another process's clock.
 */
const ATTEMPT_SPAN_MS = MINUTE_MS;

/**
 * What the attempt log says about an endpoint since shortly before `since`. Each part is a narrow
 * index range, which a planner that considers an event type common would not use: sequential scans
 * are disabled for the rest of the transaction.
 */
export async function readEvidence(trx: Transaction<Database>, endpointId: string, since: UnixMs): Promise<Evidence> {
  await disableScans(trx);
  const { rows } = await sql<Evidence>`
    with attempt as (
      select failure, started_at + make_interval(secs => duration_ms / 1000.0) as ended_at
      from (${attemptsSince(endpointId, since)}) as made
    ), success as (
      select max(ended_at) as ended_at from attempt where failure is null
    )
    select success.ended_at as "lastSuccessAt", count(attempt.ended_at) as "failedAttempts",
      min(attempt.ended_at) as "firstFailureAt", max(attempt.ended_at) as "lastFailureAt"
    from success left join attempt on failure is not null
      and (success.ended_at is null or attempt.ended_at > success.ended_at)
    group by success.ended_at`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('counting attempts gave no row');
  return row;
}

/** The last failure, as a notice shows it. */
export interface FailureDetails {
  readonly kind: string;
  /** Names, addresses and codes; never the path or query of the URL. */
  readonly detail: string;
  readonly at: UnixMs;
}

/** The newest failed attempt since shortly before `since`; null without one. */
export async function findLastFailure(
  trx: Transaction<Database>,
  endpointId: string,
  since: UnixMs,
): Promise<FailureDetails | null> {
  const { rows } = await sql<FailureDetails>`
    select failure as kind, coalesce(failure_detail, '') as detail, started_at as at
    from (${attemptsSince(endpointId, since)}) as made
    where failure is not null order by started_at desc limit 1`.execute(trx);
  return rows[0] ?? null;
}

/** Unfinished deliveries to the endpoint, and deliveries abandoned since. */
export interface EndpointBacklog {
  readonly waiting: number;
  readonly givenUp: number;
}

export async function countBacklog(
  trx: Transaction<Database>,
  endpointId: string,
  since: UnixMs,
): Promise<EndpointBacklog> {
  const { rows } = await sql<EndpointBacklog>`
    select count(*) filter (where ended_at is null) as waiting,
      count(*) filter (where state = 'failed' and ended_at >= ${new Date(since)}) as "givenUp"
    from (${deliveriesSince(endpointId, since)}) as delivery`.execute(trx);
  return rows[0] ?? { waiting: 0, givenUp: 0 };
}

// Helpers

/** One lookup by key per delivery, regardless of the planner's estimates: `offset 0` forces it. */
function attemptsSince(endpointId: string, since: UnixMs): RawBuilder<unknown> {
  return sql`
    select made.* from (${deliveriesSince(endpointId, since)}) as delivery
    cross join lateral (
      select failure, failure_detail, started_at, duration_ms from webhook_attempt
      where delivery_id = delivery.id and started_at >= ${new Date(since - ATTEMPT_SPAN_MS)}
        and coalesce(failure, '') <> all(${[...NOT_SENT]}::text[])
      offset 0
    ) as made`;
}

/**
 * Deliveries to the endpoint that can have attempts since shortly before `since`. An attempt starts
 * before its delivery ends, give or take the clocks of two processes.
 */
function deliveriesSince(endpointId: string, since: UnixMs): RawBuilder<unknown> {
  return sql`
    select unfinished.* from unnest(${[...WEBHOOK_EVENT_TYPES]}::text[]) as type (event)
    cross join unnest(array['sending', 'waiting']) as open (state)
    cross join lateral (
      select id, state, ended_at from webhook_delivery
      where endpoint_id = ${endpointId} and event = type.event and state = open.state
      offset 0
    ) as unfinished
    union all
    select id, state, ended_at from webhook_delivery
    where endpoint_id = ${endpointId} and created_at >= ${new Date(since - DELIVERY_SPAN_MS)}
      and ended_at >= ${new Date(since - 2 * ATTEMPT_SPAN_MS)}`;
}
