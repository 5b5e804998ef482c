import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import type { WebhookMode } from '../modes.ts';
import type { SendMessage } from '../send-message.ts';

/** What one attempt needs to know, read in the statement that takes it. */
export interface AttemptFacts {
  readonly webhookEventId: string;
  readonly merchantId: string;
  readonly event: string;
  readonly mode: WebhookMode | null;
  readonly body: string;
  /** Null when the endpoint was disabled or deleted since. */
  readonly endpoint: SendingEndpoint | null;
}

export interface SendingEndpoint {
  readonly url: string;
  readonly sealedSecret: string;
  /** The secret before a rotation with overlap; null without one. It signs only before the moment given. */
  readonly previous: { readonly sealedSecret: string; readonly until: UnixMs } | null;
}

/**
 * `taken`: nobody else may make the attempt until the claim ends. `held`: another sender has it, or is about to; ask again
 * after `forMs`. `over`: its delivery is not waiting for it any more.
 */
export type TakeAnswer =
  | { readonly kind: 'taken'; readonly facts: AttemptFacts }
  | { readonly kind: 'held'; readonly forMs: number }
  | { readonly kind: 'over' };

export interface Claimant {
  /** Of one sender in one life of its process. What it holds already it takes again, which makes the claim last longer. */
  readonly holder: string;
  readonly claimMs: number;
}

type AttemptId = Pick<SendMessage, 'deliveryId' | 'attempt'>;

/** Whoever changes the row at this moment is done with it by then. */
const LOCKED_FOR_MS = 250;

/**
 * Takes each attempt that is still wanted and that no other sender holds, by the clock of the database, and answers in order.
 * A claim is of one attempt, so it is over as soon as the outcome is committed, whoever commits it.
 *
 * It never waits for a lock while it has others, so it can be in no deadlock with the engine, which changes the same rows in
 * an order of its own.
 */
export async function takeAttempts(
  db: Kysely<Database>,
  { holder, claimMs }: Claimant,
  attempts: readonly AttemptId[],
): Promise<TakeAnswer[]> {
  // One lookup by key after the other, whatever the planner thinks of tables that were filled a moment ago.
  const { rows } = await sql<Row>`
    with wanted as (
      select * from unnest(
        ${attempts.map((_, place) => place)}::int4[], ${attempts.map(({ deliveryId }) => deliveryId)}::text[],
        ${attempts.map(({ attempt }) => attempt)}::int4[]
      ) as wanted (place, delivery_id, attempt)
    ), taken as (
      update webhook_delivery as delivery set claimed_by = ${holder}, claimed_attempt = wanted.attempt,
        claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond'
      from wanted cross join lateral (
        select free.id from webhook_delivery as free
        where free.id = wanted.delivery_id and free.attempt = wanted.attempt and free.state = 'sending'
          and (free.claimed_attempt is distinct from free.attempt or free.claimed_by = ${holder}
            or free.claimed_until <= clock_timestamp())
        limit 1 for no key update skip locked
      ) as free
      where delivery.id = free.id
      returning wanted.place
    )
    select wanted.place, taken.place is not null as is_taken, found.* from wanted
    left join taken on taken.place = wanted.place
    cross join lateral (
      select event.id, event.merchant_id, event.event, event.mode, event.body, endpoint.url, endpoint.sealed_secret,
        endpoint.previous_sealed_secret, endpoint.previous_secret_until, endpoint.enabled,
        case when delivery.claimed_attempt = delivery.attempt then
          extract(epoch from delivery.claimed_until - clock_timestamp())::float8 * 1000 end as held_for_ms
      from webhook_delivery as delivery join webhook_event as event on event.id = delivery.webhook_event_id
        left join webhook_endpoint as endpoint on endpoint.id = delivery.endpoint_id
      where delivery.id = wanted.delivery_id and delivery.attempt = wanted.attempt and delivery.state = 'sending'
      limit 1
    ) as found`.execute(db);
  const answers: TakeAnswer[] = attempts.map(() => ({ kind: 'over' }));
  for (const row of rows) {
    answers[row.place] = row.is_taken
      ? { kind: 'taken', facts: factsOf(row) }
      : { kind: 'held', forMs: Math.max(Math.ceil(row.held_for_ms ?? 0), LOCKED_FOR_MS) };
  }
  return answers;
}

/** Gives an attempt back that was not made, so that any sender can take it at once. */
export async function giveBackAttempt(
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

interface Row {
  readonly place: number;
  readonly is_taken: boolean;
  readonly id: string;
  readonly merchant_id: string;
  readonly event: string;
  readonly mode: WebhookMode | null;
  readonly body: string;
  readonly url: string | null;
  readonly sealed_secret: string | null;
  readonly previous_sealed_secret: string | null;
  readonly previous_secret_until: UnixMs | null;
  readonly enabled: boolean | null;
  /** What was left of somebody's claim before this statement; null when there was none. */
  readonly held_for_ms: number | null;
}

function factsOf({
  id,
  merchant_id: merchantId,
  event,
  mode,
  body,
  url,
  sealed_secret: sealedSecret,
  previous_sealed_secret: previousSecret,
  previous_secret_until: until,
  enabled,
}: Row): AttemptFacts {
  const isThere = enabled === true && url !== null && sealedSecret !== null;
  const previous = previousSecret === null || until === null ? null : { sealedSecret: previousSecret, until };
  return {
    webhookEventId: id,
    merchantId,
    event,
    mode,
    body,
    endpoint: isThere ? { url, sealedSecret, previous } : null,
  };
}
