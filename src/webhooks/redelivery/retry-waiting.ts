import { type Kysely, sql } from 'kysely';
import { auditRequest, type RequestAuthor } from '../../merchants/index.ts';
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

/** Deliveries retried by one request: each is a step of its own. */
const MAX_RETRIED = 200;

/**
 * Makes the next attempt of an endpoint's waiting deliveries now, of the oldest first. A replay
 * leaves them out, because they are in progress. Throws a `TerminalError`:
 * `WEBHOOK_ENDPOINT_NOT_FOUND`, or `INVALID_STATE` when the endpoint is disabled.
 */
export async function retryWaiting(
  deps: RedeliverDeps,
  { author, ...endpoint }: EndpointOfMerchant & { readonly author: RequestAuthor },
): Promise<RetriedDeliveries> {
  const { merchantId, endpointId } = endpoint;
  const { enabled } = await getEndpoint(deps.db, endpoint);
  if (!enabled)
    throw new TerminalError('INVALID_STATE', 'The endpoint is disabled, and gets nothing: enable it first.');
  // One extra row tells whether there are more.
  const waiting = await findWaiting(deps.db, endpointId, MAX_RETRIED + 1);
  const chosen = waiting.slice(0, MAX_RETRIED);
  const what = 'webhook_endpoint.waiting_retried';
  const details = { deliveries: chosen.length };
  await auditRequest(deps.db, author, { merchantId, what, subjectId: endpointId, details });
  const outcomes = await Promise.all(chosen.map((delivery) => hurry(deps, delivery)));
  const retried = outcomes.filter((done) => done?.outcome === 'requested').length;
  return { retried, hasMore: waiting.length > chosen.length };
}

// Helpers

/** By the index of endpoint, event type and state, which has the order of each type. */
async function findWaiting(db: Kysely<Database>, endpointId: string, limit: number) {
  const { rows } = await sql<{ id: string; sequence: number }>`
    select waiting.id, actor.sequence
    from (
      select logged.id, logged.created_at
      from unnest(${[...WEBHOOK_EVENT_TYPES]}::text[]) as type (event)
      cross join lateral (
        select id, created_at from webhook_delivery
        where endpoint_id = ${endpointId} and event = type.event and state = 'waiting'
        order by created_at, id limit ${limit}
      ) as logged
      order by logged.created_at, logged.id limit ${limit}
    ) as waiting
    join actor on actor.id = waiting.id
    order by waiting.created_at, waiting.id`.execute(db);
  return rows;
}
