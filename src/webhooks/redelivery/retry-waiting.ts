import { type Kysely, sql } from 'kysely';
import { MINUTE_MS } from '../../../machines/index.ts';
import { auditRequest, type RequestAuthor } from '../../merchants/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { EndpointOfMerchant } from '../endpoints/endpoint.ts';
import { getEndpoint } from '../endpoints/find-endpoints.ts';
import { WEBHOOK_EVENT_TYPES } from '../event-types.ts';
import { hurry, type RedeliverDeps } from './redeliver.ts';

export interface RetriedDeliveries {
  /** Number of deliveries whose next attempt is made now. */
  readonly retried: number;
  /** Whether further ones wait for their next attempt. */
  readonly hasMore: boolean;
}

/** Deliveries retried by one request, like the attempts that a replay has in progress. */
const MAX_RETRIED = 50;
/**
 * From this attempt on, a delivery whose last one was less than `RESTS_MS` ago keeps its schedule:
 * repeated requests during an outage must not use up the attempts of a whole day.
 */
const SPARED_FROM_ATTEMPT = 6;
const RESTS_MS = 30 * MINUTE_MS;

/**
 * Makes the next attempt of an endpoint's waiting deliveries now, of the oldest first. A replay
 * leaves them out, because they are in progress. One that cannot be retried now is not counted.
 * Throws a `TerminalError`: `WEBHOOK_ENDPOINT_NOT_FOUND`, or `INVALID_STATE` when the endpoint is
 * disabled.
 */
export async function retryWaiting(
  deps: RedeliverDeps & { readonly clock: Clock },
  { author, ...endpoint }: EndpointOfMerchant & { readonly author: RequestAuthor },
): Promise<RetriedDeliveries> {
  const { merchantId, endpointId } = endpoint;
  const { enabled } = await getEndpoint(deps.db, endpoint);
  if (!enabled)
    throw new TerminalError('INVALID_STATE', 'The endpoint is disabled, and gets nothing: enable it first.');
  // One extra row shows whether there are more.
  const waiting = await findWaiting(deps, endpointId, MAX_RETRIED + 1);
  const chosen = waiting.slice(0, MAX_RETRIED);
  if (chosen.length === 0) return { retried: 0, hasMore: false };
  const what = 'webhook_endpoint.waiting_retried';
  const details = { deliveries: chosen.length };
  await auditRequest(deps.db, author, { merchantId, what, subjectId: endpointId, details });
  const outcomes = await Promise.allSettled(chosen.map((delivery) => hurry(deps, delivery)));
  const retried = outcomes.filter((done) => done.status === 'fulfilled' && done.value?.outcome === 'requested').length;
  return { retried, hasMore: waiting.length > chosen.length };
}

// Helpers

/** By the index of endpoint, event type and state, which has the order of each type. */
async function findWaiting({ db, clock }: { db: Kysely<Database>; clock: Clock }, endpointId: string, limit: number) {
  const rested = new Date(clock.now() - RESTS_MS);
  const { rows } = await sql<{ id: string; sequence: number }>`
    select waiting.id, actor.sequence
    from (
      select logged.id, logged.created_at
      from unnest(${[...WEBHOOK_EVENT_TYPES]}::text[]) as type (event)
      cross join lateral (
        select delivery.id, delivery.created_at from webhook_delivery as delivery join actor using (id)
        where delivery.endpoint_id = ${endpointId} and delivery.event = type.event and delivery.state = 'waiting'
          and (delivery.attempt < ${SPARED_FROM_ATTEMPT} or actor.updated_at <= ${rested})
        order by delivery.created_at, delivery.id limit ${limit}
      ) as logged
      order by logged.created_at, logged.id limit ${limit}
    ) as waiting
    join actor on actor.id = waiting.id
    order by waiting.created_at, waiting.id`.execute(db);
  return rows;
}
