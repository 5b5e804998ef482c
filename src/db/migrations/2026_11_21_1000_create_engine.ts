import { type Kysely, sql } from 'kysely';

/** Actors, their journal, timers and outgoing messages. Never edited once released. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table actor (
      id text primary key,
      kind text not null,
      version text not null,
      state text not null,
      status text not null check (status in ('active', 'done')),
      snapshot jsonb not null,
      sequence int8 not null,
      clock_offset_ms int8 not null default 0,
      start_key text unique,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      state_entered_at timestamptz not null
    ) with (fillfactor = 70)`.execute(db);

  await sql`
    create table journal_entry (
      actor_id text not null,
      sequence int8 not null,
      event_id text not null,
      event_type text not null,
      event jsonb not null,
      outcome text not null check (outcome in ('started', 'applied', 'ignored', 'failed')),
      state text not null,
      kind text not null,
      version text not null,
      at timestamptz not null,
      error text,
      primary key (actor_id, sequence)
    )`.execute(db);
  // A failed event may be redelivered after a fix; any other event is accepted once per actor.
  await sql`
    create unique index journal_entry_event on journal_entry (actor_id, event_id)
    where outcome <> 'failed'`.execute(db);

  await sql`
    create table timer (
      actor_id text not null,
      name text not null,
      set_by_sequence int8 not null,
      due_at timestamptz,
      fires_at timestamptz,
      gate text,
      height int8,
      queue text not null,
      partition int4 not null,
      leased_until timestamptz not null default '-infinity',
      primary key (actor_id, name),
      check ((height is null) <> (due_at is null)),
      check (height is null or gate is not null)
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index timer_fires_at on timer (fires_at) where gate is null`.execute(db);
  await sql`create index timer_gate_due_at on timer (gate, due_at) where height is null and gate is not null`.execute(
    db,
  );
  await sql`create index timer_gate_height on timer (gate, height) where height is not null`.execute(db);

  await sql`
    create table watermark (
      gate text primary key,
      reached_at timestamptz,
      height int8
    ) with (fillfactor = 50)`.execute(db);

  await sql`
    create table outbox_message (
      id text primary key,
      queue text not null,
      partition int4 not null,
      data jsonb not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index outbox_message_created_at on outbox_message (created_at)`.execute(db);

  await sql`
    create table dead_letter (
      id int8 generated always as identity primary key,
      queue text not null,
      message_id text not null,
      actor_id text,
      data jsonb,
      reason text not null,
      created_at timestamptz not null default now(),
      resolved_at timestamptz,
      unique (queue, message_id)
    )`.execute(db);
}
