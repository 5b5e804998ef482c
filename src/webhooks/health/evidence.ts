import { sql, type Transaction } from 'kysely';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Evidence } from './decide.ts';
import { NOT_SENT } from './project-health.ts';

/** Maximum age of a delivery at an attempt, in ms: a day of retries, with margin for probes. */
const DELIVERY_SPAN_MS = 2 * DAY_MS;

/**
 * Margin in ms: `failing_since` is the commit time of a result, and the attempt started earlier,
 * possibly by another process's clock.
 */
const ATTEMPT_SPAN_MS = MINUTE_MS;

/** What the attempt log says about an endpoint since shortly before `since`. */
export async function readEvidence(trx: Transaction<Database>, endpointId: string, since: UnixMs): Promise<Evidence> {
  const { rows } = await sql<Evidence>`
    with attempt as (
      select webhook_attempt.failure, webhook_attempt.started_at + make_interval(secs => duration_ms / 1000.0) as ended_at
      from webhook_delivery join webhook_attempt on webhook_attempt.delivery_id = webhook_delivery.id
      where webhook_delivery.endpoint_id = ${endpointId}
        and webhook_delivery.created_at >= ${new Date(since - DELIVERY_SPAN_MS)}
        and webhook_attempt.started_at >= ${new Date(since - ATTEMPT_SPAN_MS)}
        and coalesce(webhook_attempt.failure, '') <> all(${[...NOT_SENT]}::text[])
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

/** The newest failed attempt; null without one. */
export async function findLastFailure(
  trx: Transaction<Database>,
  endpointId: string,
  since: UnixMs,
): Promise<FailureDetails | null> {
  const { rows } = await sql<FailureDetails>`
    select webhook_attempt.failure as kind, coalesce(webhook_attempt.failure_detail, '') as detail,
      webhook_attempt.started_at as at
    from webhook_delivery join webhook_attempt on webhook_attempt.delivery_id = webhook_delivery.id
    where webhook_delivery.endpoint_id = ${endpointId}
      and webhook_delivery.created_at >= ${new Date(since - DELIVERY_SPAN_MS)}
      and webhook_attempt.failure <> all(${[...NOT_SENT]}::text[])
    order by webhook_attempt.started_at desc limit 1`.execute(trx);
  return rows[0] ?? null;
}

/** Unfinished deliveries to the endpoint, and those given up since. */
export interface Backlog {
  readonly waiting: number;
  readonly givenUp: number;
}

export async function countBacklog(trx: Transaction<Database>, endpointId: string, since: UnixMs): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select count(*) filter (where ended_at is null) as waiting,
      count(*) filter (where state = 'failed' and ended_at >= ${new Date(since)}) as "givenUp"
    from webhook_delivery
    where endpoint_id = ${endpointId} and created_at >= ${new Date(since - DELIVERY_SPAN_MS)}`.execute(trx);
  return rows[0] ?? { waiting: 0, givenUp: 0 };
}
