import { sql, type Transaction } from 'kysely';
import type { Mode, UnixMs } from '../../machines/index.ts';
import { type Database, insertUnnested } from '../platform/db/index.ts';
import { derivedIdNextTo } from '../platform/ids.ts';

/** A webhook event, with the exact bytes that every attempt to every endpoint sends. */
export interface NewWebhookEvent {
  readonly id: string;
  readonly actorId: string;
  readonly merchantId: string;
  /** Null when the event is not about a transaction. */
  readonly transactionId: string | null;
  /** Type, like `payment.completed`. */
  readonly event: string;
  /** Mode of the payment or schedule; also in the body. */
  readonly mode: Mode;
  /** The JSON text itself; never serialised again. */
  readonly body: string;
  /**
   * Wall-clock time, even if the actor has its own clock: replays, counts and retention order the
   * events of all actors by it.
   */
  readonly createdAt: UnixMs;
}

/** What identifies an event. Only some types have more than the first two. */
export interface WebhookEventIdentity {
  readonly sequence: number;
  /** Type, like `payment.completed`. */
  readonly event: string;
  readonly periodNo?: number;
  readonly transactionId?: string;
  readonly reason?: string;
  /** The sum that it reports. */
  readonly baseUnits?: string;
}

/**
 * Id of the event an actor raises under a sequence number, next to the actor's id. It is derived,
 * so it can be computed without a lookup, and raising an event twice stores it once. An actor
 * restored from a backup raises the same events under the same ids. If a different event follows
 * this time, its id differs too: a receiver that has the first one must not treat it as a
 * duplicate.
 */
export function webhookEventId(actorId: string, identity: WebhookEventIdentity): string {
  const { sequence, event, periodNo, transactionId, reason, baseUnits } = identity;
  // All events of a type have the same details, so their places cannot be mixed up.
  const details = [periodNo, transactionId, reason, baseUnits].filter((detail) => detail !== undefined);
  return derivedIdNextTo('evt', actorId, sequence, event, ...details);
}

/** Stores events. An event already stored keeps its bytes. */
export async function insertWebhookEvents(
  trx: Transaction<Database>,
  events: readonly NewWebhookEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ id, merchantId, transactionId, event, mode, body, createdAt }) => {
    return { id, merchant_id: merchantId, transaction_id: transactionId, event, mode, body, created_at: createdAt };
  });
  await sql`${insertUnnested('webhook_event', EVENT_COLUMNS, rows)} on conflict do nothing`.execute(trx);
}

// Helpers

const EVENT_COLUMNS = {
  text: ['id', 'merchant_id', 'transaction_id', 'event', 'mode', 'body'],
  timestamptz: ['created_at'],
} as const;
