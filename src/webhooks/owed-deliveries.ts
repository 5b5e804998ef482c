import { type Kysely, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';

/** A delivery before the outcome of its first attempt: a row, and no actor yet. */
export interface OwedDelivery {
  readonly deliveryId: string;
  readonly webhookEventId: string;
  readonly endpointId: string;
  /** Event type. */
  readonly event: string;
  readonly createdAt: UnixMs;
}

/**
 * How long a sender may take to claim a first attempt, in ms, before its delivery gets an actor
 * that requests it again: its hint was lost, or the endpoint takes less than it is sent. As long as
 * a message may wait in the outbox.
 */
const CLAIMED_WITHIN_MS = 10_000;

/**
 * Stores deliveries whose first attempt is to be made after the commit. Returns the ids of those
 * stored; others exist already.
 */
export async function insertOwed(
  trx: Transaction<Database>,
  deliveries: readonly OwedDelivery[],
): Promise<Set<string>> {
  if (deliveries.length === 0) return new Set();
  // In one order in all processes, so that two that store the same deliveries cannot deadlock.
  const { rows } = await sql<{ id: string }>`
    insert into webhook_delivery (id, webhook_event_id, endpoint_id, event, state, attempt, is_owed, claimed_until,
      created_at)
    select id, webhook_event_id, endpoint_id, event, 'sending', 1, true,
      clock_timestamp() + ${CLAIMED_WITHIN_MS} * interval '1 millisecond', to_timestamp(owed.created_at / 1000.0)
    from unnest(
      ${deliveries.map(({ deliveryId }) => deliveryId)}::text[],
      ${deliveries.map(({ webhookEventId }) => webhookEventId)}::text[],
      ${deliveries.map(({ endpointId }) => endpointId)}::text[], ${deliveries.map(({ event }) => event)}::text[],
      ${deliveries.map(({ createdAt }) => createdAt)}::int8[]
    ) as owed (id, webhook_event_id, endpoint_id, event, created_at)
    order by id
    on conflict do nothing returning id`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Owed deliveries that no sender has claimed in time, or whose claim has ended without an outcome,
 * by the database clock. Oldest first, after a delivery if given.
 */
export async function findStranded(
  db: Kysely<Database>,
  { limit, after }: { readonly limit: number; readonly after: OwedDelivery | undefined },
): Promise<OwedDelivery[]> {
  const { rows } = await sql<OwedDelivery>`
    select id as "deliveryId", webhook_event_id as "webhookEventId", endpoint_id as "endpointId", event,
      created_at as "createdAt"
    from webhook_delivery
    where is_owed and coalesce(claimed_until, '-infinity') <= clock_timestamp()
      ${after === undefined ? sql`` : sql`and (created_at, id) > (${new Date(after.createdAt)}, ${after.deliveryId})`}
    order by created_at, id limit ${limit}`.execute(db);
  return rows;
}
