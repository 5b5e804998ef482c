import { type Kysely, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type Database, unnestRows } from '../platform/db/index.ts';

/** A delivery before the outcome of its first attempt: a row, and no actor yet. */
export interface OwedDelivery {
  readonly deliveryId: string;
  readonly webhookEventId: string;
  readonly endpointId: string;
  readonly event: string;
  readonly createdAt: UnixMs;
}

/**
 * How long a sender may take to claim a first attempt, in ms, before its delivery gets an actor
 * that requests it again: its hint was lost, or the endpoint accepts less than it is sent. As long
 * as a message may wait in the outbox.
 */
const CLAIMED_WITHIN_MS = 10_000;

/**
 * Rows per statement. A batch of payments whose merchant has the most endpoints owes 100,000
 * deliveries; one statement for all of them could reach the statement timeout. The batch stays
 * whole: what a step owes is known only once it has run, and each event costs the same in any
 * batch.
 */
export const MAX_OWED_ROWS = 5_000;

/**
 * Stores deliveries whose first attempt follows the commit. Returns the ids of those stored; others
 * exist already.
 */
export async function insertOwed(
  trx: Transaction<Database>,
  deliveries: readonly OwedDelivery[],
): Promise<Set<string>> {
  // In one order in all processes, so that two that store the same deliveries cannot deadlock.
  const ordered = [...deliveries].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const stored = new Set<string>();
  for (let from = 0; from < ordered.length; from += MAX_OWED_ROWS) {
    for (const id of await insertPart(trx, ordered.slice(from, from + MAX_OWED_ROWS))) stored.add(id);
  }
  return stored;
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

// Helpers

const OWED_COLUMNS = { text: ['id', 'webhook_event_id', 'endpoint_id', 'event'], timestamptz: ['created_at'] } as const;

async function insertPart(trx: Transaction<Database>, part: readonly OwedDelivery[]): Promise<string[]> {
  const given = part.map((delivery) => ({
    id: delivery.deliveryId,
    webhook_event_id: delivery.webhookEventId,
    endpoint_id: delivery.endpointId,
    event: delivery.event,
    created_at: delivery.createdAt,
  }));
  const { rows } = await sql<{ id: string }>`
    insert into webhook_delivery (id, webhook_event_id, endpoint_id, event, state, attempt, is_owed, claimed_until,
      created_at)
    select id, webhook_event_id, endpoint_id, event, 'sending', 1, true,
      clock_timestamp() + ${CLAIMED_WITHIN_MS} * interval '1 millisecond', created_at
    from ${unnestRows('owed', OWED_COLUMNS, given)}
    order by id collate "C"
    on conflict do nothing returning id`.execute(trx);
  return rows.map(({ id }) => id);
}
