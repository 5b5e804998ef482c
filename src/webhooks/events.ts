import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { derivedId } from '../ids.ts';
import type { WebhookMode } from './modes.ts';

/** Messages `{webhookEventId}` to this queue have a stored event delivered to every endpoint that wants it. */
export const FAN_OUT_QUEUE = 'webhook-fan-out';

/** One thing a merchant is told, with the exact bytes every attempt to every endpoint sends. */
export interface NewWebhookEvent {
  readonly id: string;
  readonly merchantId: string;
  /** Null when the event is about something else. */
  readonly transactionId: string | null;
  /** Type, like `payment.completed`. */
  readonly event: string;
  /** Of the payment or schedule; also in the body. */
  readonly mode: WebhookMode;
  /** The JSON text itself, never serialised again. */
  readonly body: string;
  /** On the wall, wherever the clock of the actor stands: replays, counts and retention read the events of all of them in this order. */
  readonly createdAt: UnixMs;
}

/**
 * The id of the event an actor raises under a sequence number. It follows from them, so that whoever needs it can name
 * it without looking it up, and raising an event twice stores it once. An actor that is restored from a backup raises what it had
 * raised after it under the same id, unless something else happens to it this time: that is another event, which a
 * receiver that knows the first must not take for a repetition.
 */
export function webhookEventId(actorId: string, { sequence, event }: { sequence: number; event: string }): string {
  return derivedId('evt', actorId, sequence, event);
}

/** Stores events inside the commit that raises them. One that is stored already keeps its first bytes. */
export async function insertWebhookEvents(
  trx: Transaction<Database>,
  events: readonly NewWebhookEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await sql`
    insert into webhook_event (id, merchant_id, transaction_id, event, mode, body, created_at)
    select id, merchant_id, transaction_id, event, mode, body, to_timestamp(created_at / 1000.0)
    from unnest(
      ${events.map((each) => each.id)}::text[], ${events.map((each) => each.merchantId)}::text[],
      ${events.map((each) => each.transactionId)}::text[], ${events.map((each) => each.event)}::text[],
      ${events.map((each) => each.mode)}::text[], ${events.map((each) => each.body)}::text[],
      ${events.map((each) => each.createdAt)}::int8[]
    ) as fresh (id, merchant_id, transaction_id, event, mode, body, created_at)
    on conflict do nothing`.execute(trx);
}
