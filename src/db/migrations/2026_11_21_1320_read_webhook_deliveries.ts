import { type Kysely, sql } from 'kysely';

/** Deliveries are listed by type and state, and a replay remembers what it has promised to start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The type of an event never changes; beside the state it makes every list of the log one range of one index.
  await sql`alter table webhook_delivery add column event text`.execute(db);
  await sql`
    update webhook_delivery set event = webhook_event.event from webhook_event
    where webhook_event.id = webhook_delivery.webhook_event_id`.execute(db);
  await sql`alter table webhook_delivery alter column event set not null`.execute(db);
  await sql`
    create index webhook_delivery_log on webhook_delivery (endpoint_id, event, state, created_at, id)`.execute(db);

  await sql`alter table webhook_replay add column pending jsonb`.execute(db);
}
