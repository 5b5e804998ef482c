import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { PARTITIONS } from '../../src/platform/bus/index.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { countDelivered } from '../support/count-delivered.ts';
import type { Shop, WebhookInstallation } from './installation.ts';

const ROWS_AT_ONCE = 20_000;
const POLL_MS = 50;
const DRAIN_POLL_MS = 500;
/** A minute without a delivery: the worker has nothing more to send, or is stuck. */
const IDLE_POLLS = 120;

/**
 * Leaves `deliveries` deliveries waiting for their retry. One is created by the service itself, at
 * a shop that answers 503; the others are copies of its rows under their own ids, spread over
 * `shops`, and due in an hour.
 */
export async function fillWaiting(
  { database: { db }, worker }: WebhookInstallation,
  { failing, shops, deliveries }: { failing: Shop; shops: readonly Shop[]; deliveries: number },
): Promise<void> {
  await worker.raise([failing]);
  const model = await modelOf(db, failing.endpointId);
  const endpointIds = shops.map(({ endpointId }) => endpointId);
  for (let first = 1; first <= deliveries; first += ROWS_AT_ONCE) {
    const last = Math.min(deliveries, first + ROWS_AT_ONCE - 1);
    // Parents before children.
    for (const [table, key, id] of [
      ['webhook_event', 'id', model.eventId],
      ['webhook_delivery', 'id', model.deliveryId],
      ['actor', 'id', model.deliveryId],
      ['journal_entry', 'actor_id', model.deliveryId],
      ['timer', 'actor_id', model.deliveryId],
      ['webhook_attempt', 'delivery_id', model.deliveryId],
    ] as const) {
      const into = sql.table(table);
      await sql`
        insert into ${into}
        select copy.* from generate_series(${first}::int4, ${last}::int4) as series (number)
        cross join ${into} as original
        cross join lateral jsonb_populate_record(null::${into}, replace(replace(replace(to_jsonb(original)::text,
          ${model.eventId}, 'evt_' || left(md5('event ' || number), 26)),
          ${model.deliveryId}, 'dlv_' || left(md5('delivery ' || number), 26)),
          ${failing.endpointId}, (${endpointIds}::text[])[1 + number % ${endpointIds.length}::int4])::jsonb) as copy
        where original.${sql.ref(key)} = ${id}`.execute(db);
    }
    // The copies would otherwise belong to one actor, and so share its partition.
    await sql`
      update timer set fires_at = now() + interval '1 hour', partition = abs(hashtext(actor_id)) % ${PARTITIONS}::int4
      where name = 'retry_due'`.execute(db);
  }
  await sql`analyze`.execute(db);
}

/**
 * Makes all waiting deliveries due immediately. Resolves when nothing more is sent, with how many
 * were delivered and how long it took.
 */
export async function sendWaiting(
  { database: { db } }: WebhookInstallation,
  deliveries: number,
): Promise<{ readonly delivered: number; readonly tookMs: number }> {
  const before = await countDelivered(db);
  await sql`update timer set fires_at = now() where name = 'retry_due'`.execute(db);
  const startedAt = performance.now();
  let [delivered, tookMs] = [0, 0];
  for (let idlePolls = 0; delivered < deliveries && idlePolls < IDLE_POLLS; await sleep(DRAIN_POLL_MS)) {
    const now = (await countDelivered(db)) - before;
    idlePolls = now === delivered ? idlePolls + 1 : 0;
    if (now > delivered) tookMs = performance.now() - startedAt;
    delivered = now;
  }
  return { delivered, tookMs };
}

// Helpers

/** The delivery that failed once, when its retry timer is set. */
async function modelOf(db: Kysely<Database>, endpointId: string): Promise<{ eventId: string; deliveryId: string }> {
  for (;;) {
    const row = await db
      .selectFrom('webhook_delivery')
      .select(['id', 'webhook_event_id'])
      .where('endpoint_id', '=', endpointId)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    if (row !== undefined) return { deliveryId: row.id, eventId: row.webhook_event_id };
    await sleep(POLL_MS);
  }
}
