import { type Kysely, sql } from 'kysely';

/**
 * For operators: actors by state, latest changes, dead letters, and the actions they have taken.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Lists by state, the longest in it first, and counts of actors in it for longer than a given
  // time.
  await sql`create index actor_by_state on actor (kind, state, state_entered_at, id)`.execute(db);
  // One actor in 64, chosen by its id: an unbiased sample of any state, for percentiles of states
  // with very many actors.
  await sql`
    create index actor_sample on actor (kind, state, state_entered_at)
    where substr(md5(id), 1, 2) in ('00', '01', '02', '03')`.execute(db);
  // Prefix searches on ids, which need bytewise collation.
  await sql`create index actor_id_prefix on actor (id collate "C")`.execute(db);

  await sql`
    create table actor_count (
      kind text not null,
      state text not null,
      slot int4 not null,
      actors int8 not null,
      primary key (kind, state, slot)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    insert into actor_count (kind, state, slot, actors)
    select kind, state, 0, count(*) from actor group by kind, state`.execute(db);
  // Counted by triggers like transactions, with the same slots: see take_count_slot.
  await sql`
    create function count_actors() returns trigger language plpgsql as $count$
    begin
      insert into actor_count as counted (kind, state, slot, actors)
      select kind, state, place, actors
      from (select kind, state, count(*) as actors from new_rows group by kind, state) as changes
      cross join (select take_count_slot() as place) as slot
      order by kind, state
      on conflict (kind, state, slot) do update set actors = counted.actors + excluded.actors;
      return null;
    end $count$`.execute(db);
  await sql`
    create function recount_actors() returns trigger language plpgsql as $count$
    begin
      insert into actor_count as counted (kind, state, slot, actors)
      select kind, state, place, actors
      from (
        select kind, state, sum(change) as actors
        from (
          select kind, state, 1 as change from new_rows union all select kind, state, -1 from old_rows
        ) as moves
        group by kind, state having sum(change) <> 0
      ) as changes
      cross join (select take_count_slot() as place) as slot
      order by kind, state
      on conflict (kind, state, slot) do update set actors = counted.actors + excluded.actors;
      return null;
    end $count$`.execute(db);
  await sql`
    create function uncount_actors() returns trigger language plpgsql as $count$
    begin
      insert into actor_count as counted (kind, state, slot, actors)
      select kind, state, place, -actors
      from (select kind, state, count(*) as actors from old_rows group by kind, state) as changes
      cross join (select take_count_slot() as place) as slot
      order by kind, state
      on conflict (kind, state, slot) do update set actors = counted.actors + excluded.actors;
      return null;
    end $count$`.execute(db);
  await sql`
    create trigger actor_inserted after insert on actor referencing new table as new_rows
    for each statement execute function count_actors()`.execute(db);
  await sql`
    create trigger actor_updated after update on actor referencing old table as old_rows new table as new_rows
    for each statement execute function recount_actors()`.execute(db);
  await sql`
    create trigger actor_deleted after delete on actor referencing old table as old_rows
    for each statement execute function uncount_actors()`.execute(db);

  // Id of the inserting transaction, so that a follower reads only entries it has not seen. Entries
  // are inserted in about this order, so a BRIN index finds the newest ones at almost no cost.
  await sql`alter table journal_entry add column inserted_xid int8`.execute(db);
  await sql`
    alter table journal_entry alter column inserted_xid set default (pg_current_xact_id()::text::int8)`.execute(db);
  await sql`
    create index journal_entry_newest on journal_entry using brin (inserted_xid)
    with (pages_per_range = 16, autosummarize = on)`.execute(db);

  await sql`create index dead_letter_open on dead_letter (created_at, id) where resolved_at is null`.execute(db);
  await sql`
    create index dead_letter_of_actor on dead_letter (actor_id) where resolved_at is null and actor_id is not null`.execute(
    db,
  );
  await sql`create index operator_alert_open on operator_alert (created_at, id) where resolved_at is null`.execute(db);

  await sql`
    create table operator_action (
      request_id text primary key,
      who text not null,
      what text not null check (what in ('event.sent', 'dead_letter.retried', 'dead_letter.dismissed')),
      subject_id text not null,
      details jsonb not null,
      reason text not null,
      asked_at timestamptz not null,
      outcome text,
      settled_at timestamptz,
      check ((outcome is null) = (settled_at is null))
    )`.execute(db);
  await sql`create index operator_action_of_subject on operator_action (subject_id, asked_at)`.execute(db);

  await sql`
    create table operation_run (
      id text primary key,
      request_id text not null unique,
      who text not null,
      task jsonb not null,
      filter jsonb not null,
      reason text not null,
      state text not null check (state in ('planned', 'running', 'paused', 'cancelled', 'done')),
      total int4 not null,
      created_at timestamptz not null,
      ended_at timestamptz,
      leased_until timestamptz not null default '-infinity',
      check ((ended_at is null) = (state in ('planned', 'running', 'paused')))
    )`.execute(db);
  await sql`create index operation_run_newest on operation_run (created_at, id)`.execute(db);
  await sql`create index operation_run_running on operation_run (leased_until) where state = 'running'`.execute(db);
  await sql`
    create table operation_item (
      run_id text not null references operation_run (id),
      place int4 not null,
      subject_id text not null,
      expected_sequence int8,
      outcome text,
      detail text,
      settled_at timestamptz,
      primary key (run_id, place)
    )`.execute(db);
  await sql`create index operation_item_open on operation_item (run_id, place) where outcome is null`.execute(db);
}
