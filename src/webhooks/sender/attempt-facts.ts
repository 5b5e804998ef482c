import type { Kysely } from 'kysely';
import type { AttemptFailure, UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import type { SendMessage } from '../send-message.ts';

/** What one attempt needs to know, read in one statement just before it. */
export interface AttemptFacts {
  readonly webhookEventId: string;
  readonly event: string;
  readonly body: string;
  /** Null when the endpoint was disabled or deleted since. */
  readonly endpoint: { readonly url: string; readonly sealedSecret: string } | null;
}

/** The facts of an attempt, or null when the delivery is not waiting for it any more. */
export async function findAttempt(
  db: Kysely<Database>,
  { deliveryId, attempt }: SendMessage,
): Promise<AttemptFacts | null> {
  const row = await db
    .selectFrom('webhook_delivery as delivery')
    .innerJoin('webhook_event as event', 'event.id', 'delivery.webhook_event_id')
    .leftJoin('webhook_endpoint as endpoint', 'endpoint.id', 'delivery.endpoint_id')
    .select(['event.id', 'event.event', 'event.body', 'endpoint.url', 'endpoint.sealed_secret', 'endpoint.enabled'])
    .where('delivery.id', '=', deliveryId)
    .where('delivery.state', '=', 'sending')
    .where('delivery.attempt', '=', attempt)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { url, sealed_secret: sealedSecret } = row;
  const isThere = row.enabled === true && url !== null && sealedSecret !== null;
  return {
    webhookEventId: row.id,
    event: row.event,
    body: row.body,
    endpoint: isThere ? { url, sealedSecret } : null,
  };
}

export interface AttemptRecord {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly startedAt: UnixMs;
  readonly durationMs: number;
  readonly status: number | null;
  readonly failure: AttemptFailure | null;
}

/** Keeps that a POST was made, also when the delivery never hears of it. */
export async function insertAttempt(db: Kysely<Database>, record: AttemptRecord): Promise<void> {
  await db
    .insertInto('webhook_attempt')
    .values({
      delivery_id: record.deliveryId,
      attempt: record.attempt,
      started_at: new Date(record.startedAt),
      duration_ms: record.durationMs,
      status: record.status,
      failure: record.failure?.kind ?? null,
      failure_detail: record.failure?.detail ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
