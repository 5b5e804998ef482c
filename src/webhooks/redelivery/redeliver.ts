import { type Kysely, sql } from 'kysely';
import { deliveryMachine } from '../../../machines/index.ts';
import { auditRequest, type RequestAuthor } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Engine } from '../../platform/engine/index.ts';
import { RetryableError, TerminalError } from '../../platform/errors.ts';
import { type DeliveriesSoFar, deliveriesSoFar, nextDelivery } from './deliveries-so-far.ts';

export interface RedeliverDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'start' | 'deliver'>;
}

export interface DeliveryOfMerchant {
  readonly merchantId: string;
  readonly deliveryId: string;
}

export interface RedeliveryInput extends DeliveryOfMerchant {
  /** The user, for the audit log; omitted for API clients. */
  readonly author?: RequestAuthor;
}

/**
 * `started`: the delivery had ended, and another one of the same event to the same endpoint starts.
 * `requested`: it was waiting, and its next attempt starts now. `under_way`: an attempt was already
 * in progress; nothing changed.
 */
export const REDELIVERY_OUTCOMES = ['started', 'requested', 'under_way'] as const;

export interface Redelivery {
  readonly outcome: (typeof REDELIVERY_OUTCOMES)[number];
  /** The delivery that sends; differs from the requested one if that one had ended. */
  readonly deliveryId: string;
}

/** Maximum number of tries. Each further one means that the delivery changed after it was read. */
const MAX_TRIES = 5;

/**
 * Sends an event to an endpoint again: same id, same bytes, the next attempt number. Concurrent
 * requests send it once. Throws a `TerminalError`: `WEBHOOK_DELIVERY_NOT_FOUND`, also for another
 * merchant's, or `INVALID_STATE` when the endpoint is disabled or deleted. Throws a
 * `RetryableError` when the database is unavailable, or `DELIVERY_BUSY`.
 */
export async function redeliver(deps: RedeliverDeps, { author, ...input }: RedeliveryInput): Promise<Redelivery> {
  let isWrittenDown = author === undefined;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = await findDeliveries(deps.db, input);
    if (found === null) throw deliveryNotFound(input.deliveryId);
    if (!found.isEndpointOn) throw new TerminalError('INVALID_STATE', found.isEndpointDeleted ? DELETED : DISABLED);
    if (found.running?.state === 'sending') return { outcome: 'under_way', deliveryId: found.running.id };
    if (author !== undefined && !isWrittenDown) {
      const entry = { merchantId: input.merchantId, what: 'webhook_endpoint.redelivery_requested' } as const;
      const details = { deliveryId: input.deliveryId };
      await auditRequest(deps.db, author, { ...entry, subjectId: found.endpointId, details });
      isWrittenDown = true;
    }
    const done = found.running === null ? await startNext(deps, found) : await hurry(deps, found.running);
    if (done !== null) return done;
  }
  throw new RetryableError('DELIVERY_BUSY', 'The delivery keeps changing; try again shortly');
}

export function deliveryNotFound(deliveryId: string): TerminalError {
  return new TerminalError('WEBHOOK_DELIVERY_NOT_FOUND', `There is no webhook delivery ${deliveryId}.`);
}

// Helpers

const DISABLED = 'The endpoint is disabled: enable it first.';
const DELETED = 'The endpoint was deleted. Its log stays readable.';

interface Running extends WaitingDelivery {
  readonly state: string;
}

/** A delivery in the state in which it was read. */
export interface WaitingDelivery {
  readonly id: string;
  /** Sequence of the newest journal entry, which identifies the state read; 0 without an actor. */
  readonly sequence: number;
}

interface Found extends DeliveriesSoFar {
  readonly isEndpointOn: boolean;
  readonly isEndpointDeleted: boolean;
  readonly running: Running | null;
}

async function startNext({ engine }: RedeliverDeps, found: Found): Promise<Redelivery> {
  const next = nextDelivery(found);
  // It does not matter to the merchant whether this call or a concurrent one has started it.
  await engine.start({
    kind: deliveryMachine.id,
    actorId: next.deliveryId,
    startKey: null,
    input: { ...next, isRequested: true },
  });
  return { outcome: 'started', deliveryId: next.deliveryId };
}

/** Requests the next attempt of a waiting delivery; null when it has failed in the meantime. */
export async function hurry(
  { engine }: Pick<RedeliverDeps, 'engine'>,
  { id, sequence }: WaitingDelivery,
): Promise<Redelivery | null> {
  const eventId = `redelivery:${sequence}`;
  const response = await engine.deliver({ actorId: id, eventId, event: { type: 'merchant.redelivery_requested' } });
  switch (response.outcome) {
    case 'applied':
    case 'duplicate':
      return { outcome: 'requested', deliveryId: id };
    case 'ignored':
      // Its timer fired first. If it is delivered by now, nothing is left to do; sending again
      // would be a duplicate.
      return response.state === 'failed' ? null : { outcome: 'under_way', deliveryId: id };
    case 'failed':
    case 'unknown_actor':
      throw new Error(`delivery ${id} could not be requested: ${response.outcome}`);
  }
}

/**
 * The requested delivery and a summary of all of its event and endpoint. One statement, for one
 * consistent snapshot.
 */
async function findDeliveries(
  db: Kysely<Database>,
  { merchantId, deliveryId }: DeliveryOfMerchant,
): Promise<Found | null> {
  const { rows } = await sql<FoundRow>`
    select named.webhook_event_id as "webhookEventId", named.endpoint_id as "endpointId", endpoint.enabled,
      endpoint.deleted_at as "deletedAt", so_far.*, running.state as "runningState", actor.sequence as "runningSequence"
    from webhook_delivery as named
    join webhook_endpoint as endpoint on endpoint.id = named.endpoint_id and endpoint.merchant_id = ${merchantId}
    cross join lateral (${deliveriesSoFar(sql`named.webhook_event_id`, sql`named.endpoint_id`)}) as so_far
    left join webhook_delivery as running on running.id = so_far."runningId"
    left join actor on actor.id = running.id
    where named.id = ${deliveryId}`.execute(db);
  return rows[0] === undefined ? null : toFound(rows[0]);
}

interface FoundRow extends DeliveriesSoFar {
  enabled: boolean;
  deletedAt: number | null;
  runningId: string | null;
  runningState: string | null;
  runningSequence: number | null;
}

function toFound(row: FoundRow): Found {
  const { enabled, deletedAt, runningId: id, runningState: state, runningSequence: sequence, ...soFar } = row;
  // Before the outcome of its first attempt a delivery has none.
  if (id !== null && state !== 'sending' && sequence === null) throw new Error(`delivery ${id} has no actor`);
  return {
    ...soFar,
    isEndpointOn: enabled && deletedAt === null,
    isEndpointDeleted: deletedAt !== null,
    running: id === null || state === null ? null : { id, state, sequence: sequence ?? 0 },
  };
}
