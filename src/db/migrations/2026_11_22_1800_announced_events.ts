import { type Kysely, sql } from 'kysely';

/**
 * Pending observations: events that their actors' gated timers must not overtake. A row exists
 * while its event is in transit, usually milliseconds, so the table is small and mostly dead rows:
 * it is vacuumed like a queue.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table announced_event (
      actor_id text not null,
      topic text not null,
      event_id text not null,
      queue text not null,
      partition int4 not null,
      data jsonb not null,
      sent_at timestamptz not null default now(),
      primary key (actor_id, topic)
    ) with (
      autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0,
      autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0.02
    )`.execute(db);
  await sql`create index announced_event_sent_at on announced_event (sent_at)`.execute(db);
}
