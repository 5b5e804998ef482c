import { type Kysely, sql } from 'kysely';
import type { Mode, UnixMs } from '../../../machines/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import type { SendMessage } from '../send-message.ts';

/** What an attempt needs, read in the statement that claims it. */
export interface ClaimedAttempt {
  readonly webhookEventId: string;
  /** Set while the delivery has no actor; the outcome of this attempt starts it. */
  readonly owedSince: UnixMs | null;
  readonly merchantId: string;
  readonly event: string;
  readonly mode: Mode;
  readonly body: string;
  /** Null when the endpoint has been disabled or deleted. */
  readonly endpoint: SendingEndpoint | null;
}

export interface SendingEndpoint {
  readonly url: string;
  readonly sealedSecret: string;
  /** Attempts per second; null for no limit. */
  readonly maxPerSecond: number | null;
  /**
   * The previous secret after a rotation with overlap; null without one. It signs only before
   * `until`.
   */
  readonly previous: { readonly sealedSecret: string; readonly until: UnixMs } | null;
}

/**
 * `taken`: no other sender may start the attempt until the claim ends. `held`: another sender has
 * claimed it, or is about to; retry after `forMs`. `over`: its delivery no longer waits for it.
 */
export type ClaimResult =
  | { readonly kind: 'taken'; readonly claimed: ClaimedAttempt }
  | { readonly kind: 'held'; readonly forMs: number }
  | { readonly kind: 'over' };

export interface Claimant {
  /**
   * Identifies one sender in one run of its process. Claiming an attempt it already holds extends
   * the claim.
   */
  readonly holder: string;
  readonly claimMs: number;
}

type AttemptId = Pick<SendMessage, 'deliveryId' | 'attempt'>;

/** Retry delay for a row that is locked, in ms: the other transaction is finished by then. */
const LOCKED_FOR_MS = 250;

/**
 * Claims each attempt that is still due and not held by another sender, by the database clock;
 * returns results in order. A claim covers one attempt, so it ends when any process commits the
 * outcome.
 *
 * It never waits for a lock while it holds others, so it cannot deadlock with the engine, which
 * changes the same rows in a different order.
 */
export async function claimAttempts(
  db: Kysely<Database>,
  { holder, claimMs }: Claimant,
  attempts: readonly AttemptId[],
): Promise<ClaimResult[]> {
  const requested = attempts.map(({ deliveryId, attempt }, index) => ({ index, delivery_id: deliveryId, attempt }));
  // Forces one lookup by key per attempt, regardless of the planner's estimates for tables that
  // were just filled.
  const { rows } = await sql<ClaimedAttemptRow>`
    with requested as (
      select * from ${unnestRows('requested', { int4: ['index', 'attempt'], text: ['delivery_id'] }, requested)}
    ), taken as (
      update webhook_delivery as delivery set claimed_by = ${holder}, claimed_attempt = requested.attempt,
        claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond'
      from requested cross join lateral (
        select free.id from webhook_delivery as free
        where free.id = requested.delivery_id and free.attempt = requested.attempt and free.state = 'sending'
          and (free.claimed_attempt is distinct from free.attempt or free.claimed_by = ${holder}
            or free.claimed_until <= clock_timestamp())
        limit 1 for no key update skip locked
      ) as free
      where delivery.id = free.id
      returning requested.index
    )
    select requested.index, taken.index is not null as "isTaken", found.* from requested
    left join taken on taken.index = requested.index
    cross join lateral (
      select event.id as "webhookEventId", case when delivery.is_owed then delivery.created_at end as "owedSince",
        event.merchant_id as "merchantId", event.event, event.mode, event.body, endpoint.url,
        endpoint.sealed_secret as "sealedSecret", endpoint.previous_sealed_secret as "previousSecret",
        endpoint.previous_secret_until as "previousUntil", endpoint.max_per_second as "maxPerSecond", endpoint.enabled,
        case when delivery.claimed_attempt = delivery.attempt then
          extract(epoch from delivery.claimed_until - clock_timestamp())::float8 * 1000 end as "heldForMs"
      from webhook_delivery as delivery join webhook_event as event on event.id = delivery.webhook_event_id
        left join webhook_endpoint as endpoint on endpoint.id = delivery.endpoint_id
      where delivery.id = requested.delivery_id and delivery.attempt = requested.attempt and delivery.state = 'sending'
      limit 1
    ) as found`.execute(db);
  const responses: ClaimResult[] = attempts.map(() => ({ kind: 'over' }));
  for (const row of rows) {
    responses[row.index] = row.isTaken
      ? { kind: 'taken', claimed: claimedAttemptOf(row) }
      : { kind: 'held', forMs: Math.max(Math.ceil(row.heldForMs ?? 0), LOCKED_FOR_MS) };
  }
  return responses;
}

/**
 * Releases the claim on an attempt that was not sent, so that any sender can claim it immediately.
 */
export async function releaseAttempt(
  db: Kysely<Database>,
  holder: string,
  { deliveryId, attempt }: AttemptId,
): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ claimed_by: null, claimed_attempt: null, claimed_until: null })
    .where('id', '=', deliveryId)
    .where('claimed_by', '=', holder)
    .where('claimed_attempt', '=', attempt)
    .execute();
}

// Helpers

interface ClaimedAttemptRow extends Omit<ClaimedAttempt, 'endpoint'> {
  readonly index: number;
  readonly isTaken: boolean;
  readonly url: string | null;
  readonly sealedSecret: string | null;
  readonly previousSecret: string | null;
  readonly previousUntil: UnixMs | null;
  readonly maxPerSecond: number | null;
  readonly enabled: boolean | null;
  /** Remaining time of an existing claim before this statement, in ms; null without one. */
  readonly heldForMs: number | null;
}

function claimedAttemptOf(row: ClaimedAttemptRow): ClaimedAttempt {
  const { webhookEventId, owedSince, merchantId, event, mode, body } = row;
  const { url, sealedSecret, previousSecret, previousUntil: until, maxPerSecond, enabled } = row;
  const isThere = enabled === true && url !== null && sealedSecret !== null;
  const previous = previousSecret === null || until === null ? null : { sealedSecret: previousSecret, until };
  const endpoint = isThere ? { url, sealedSecret, maxPerSecond, previous } : null;
  return { webhookEventId, owedSince, merchantId, event, mode, body, endpoint };
}
