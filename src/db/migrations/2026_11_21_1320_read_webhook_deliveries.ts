import { type Kysely, sql } from 'kysely';

/**
 * Lists deliveries by event type and state, and stores which deliveries a replay has yet to start.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The event type never changes; together with the state, it makes every list of the log one index
  // range.
  await sql`alter table webhook_delivery add column event text`.execute(db);
  await sql`
    update webhook_delivery set event = webhook_event.event from webhook_event
    where webhook_event.id = webhook_delivery.webhook_event_id`.execute(db);
  await sql`alter table webhook_delivery alter column event set not null`.execute(db);
  await sql`
    create index webhook_delivery_log on webhook_delivery (endpoint_id, event, state, created_at, id)`.execute(db);

  await sql`alter table webhook_replay add column pending jsonb`.execute(db);
}
