import { type Kysely, sql } from 'kysely';

/** The archive of finished actors: one row each with the whole journal, partitioned by month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The columns of `actor`, so that both are read alike.
  await sql`
    create table actor_archive (
      id text not null,
      kind text not null,
      version text not null,
      state text not null,
      snapshot jsonb not null,
      sequence int8 not null,
      clock_offset_ms int8 not null,
      start_key text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      state_entered_at timestamptz not null,
      journal bytea not null,
      archived_at timestamptz not null,
      primary key (id, created_at)
    ) partition by range (created_at)`.execute(db);
  await sql`
    create index actor_archive_by_state on actor_archive (kind, state, state_entered_at, id)`.execute(db);
  await sql`create index actor_archive_id_prefix on actor_archive (id collate "C")`.execute(db);
  await sql`create table actor_archive_default partition of actor_archive default`.execute(db);

  // Directory: what the service needs to know of archived actors, and their partition. Kept when a
  // partition is dropped: an id must never be used again.
  await sql`
    create table archived_actor (
      id text primary key,
      kind text not null,
      state text not null,
      sequence int8 not null,
      clock_offset_ms int8 not null,
      start_key text unique,
      created_at timestamptz not null
    )`.execute(db);

  // Counted in their current table: archiving an actor decrements one count and increments the
  // other in one commit.
  await sql`
    create trigger archived_actor_inserted after insert on archived_actor referencing new table as new_rows
    for each statement execute function count_actors()`.execute(db);
  await sql`
    create trigger archived_actor_deleted after delete on archived_actor referencing old table as old_rows
    for each statement execute function uncount_actors()`.execute(db);
}
