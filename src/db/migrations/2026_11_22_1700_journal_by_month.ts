import { type Kysely, sql } from 'kysely';

/**
 * Partitions the journal by the month in which its actor was created: all entries of one actor are
 * in one partition, so that event ids stay unique per actor and every lookup reads one partition.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Moves all entries, which may be many.
  await sql`set local statement_timeout = 0`.execute(db);

  // The engine has always written whole milliseconds; entries are found by this timestamp, so it
  // must not be more precise.
  await sql`
    update actor set created_at = date_trunc('milliseconds', created_at)
    where created_at <> date_trunc('milliseconds', created_at)`.execute(db);
  await sql`
    alter table actor add constraint actor_created_at_whole_ms
    check (created_at = date_trunc('milliseconds', created_at))`.execute(db);

  await sql`alter table journal_entry rename to former_journal_entry`.execute(db);
  await sql`alter table former_journal_entry drop constraint journal_entry_pkey`.execute(db);
  await sql`drop index journal_entry_event, journal_entry_newest`.execute(db);
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
      inserted_xid int8 default (pg_current_xact_id()::text::int8),
      born timestamptz not null,
      primary key (actor_id, sequence, born)
    ) partition by range (born)`.execute(db);
  // A failed event may be redelivered after a fix; any other event is accepted once per actor,
  // whose creation time never changes.
  await sql`
    create unique index journal_entry_event on journal_entry (actor_id, event_id, born)
    where outcome <> 'failed'`.execute(db);
  await sql`
    create index journal_entry_newest on journal_entry using brin (inserted_xid)
    with (pages_per_range = 16, autosummarize = on)`.execute(db);
  await sql`create table journal_entry_default partition of journal_entry default`.execute(db);

  await createPartitionFunctions(db);
  await sql`
    select make_month_partitions('journal_entry', coalesce((select min(created_at) from actor), now()),
      now() + interval '3 months')`.execute(db);
  // An entry without an actor can only come from a manual repair; it is partitioned by the time of
  // its first entry.
  await sql`
    insert into journal_entry (actor_id, sequence, event_id, event_type, event, outcome, state, kind, version, at, error,
      inserted_xid, born)
    select actor_id, former.sequence, event_id, event_type, event, outcome, former.state, former.kind, former.version, at,
      error, inserted_xid, coalesce(actor.created_at, min(at) over (partition by actor_id))
    from former_journal_entry as former left join actor on actor.id = actor_id
    order by inserted_xid nulls first`.execute(db);
  await sql`drop table former_journal_entry`.execute(db);
}

/**
 * Functions to create and drop partitions. They run with the rights of the table owner, so that the
 * service's role needs none, and work only on the partitioned tables of this schema.
 */
async function createPartitionFunctions(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_schema()) as name`.execute(db);
  const schema = sql.raw(rows[0]?.name ?? 'public');

  // Returns the number of rows moved from the default partition to the new ones. On a lock timeout
  // everything is rolled back, and the next call retries.
  await sql`
    create function make_month_partitions(parent text, earliest timestamptz, latest timestamptz) returns int8
    language plpgsql security definer set search_path = ${schema}, pg_temp set lock_timeout = '2s' as $make$
    declare
      key text;
      month timestamp;
      name text;
      lower_bound text;
      upper_bound text;
      moved int8;
      total int8 := 0;
    begin
      select attname into strict key from pg_partitioned_table
        join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
      where partrelid = (quote_ident(current_schema()) || '.' || quote_ident(parent))::regclass;
      perform pg_advisory_xact_lock(hashtext('month partitions of ' || parent));
      for month in execute format(
        'select generate_series(date_trunc(''month'', $1 at time zone ''UTC''), $2 at time zone ''UTC'', ''1 month'')
        union select date_trunc(''month'', %I at time zone ''UTC'') from %I order by 1', key, parent || '_default')
        using earliest, latest
      loop
        name := parent || to_char(month, '_YYYY_MM');
        continue when to_regclass(quote_ident(name)) is not null;
        lower_bound := to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00';
        upper_bound := to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00';
        -- First of all, so that nothing comes into the default partition behind the move.
        execute format('lock table only %I in access exclusive mode', parent || '_default');
        execute format('create table %I (like %I including all)', name, parent);
        execute format('with gone as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from gone',
          parent || '_default', key, lower_bound, key, upper_bound, name);
        get diagnostics moved = row_count;
        total := total + moved;
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, lower_bound, upper_bound);
      end loop;
      return total;
    end $make$`.execute(db);

  // Returns the names of the dropped partitions. One that is in use is left to the next call.
  // Emptiness is checked again under the lock, so the partition must be small: vacuum has truncated
  // one that was emptied.
  await sql`
    create function drop_month_partitions(parent text, before timestamptz, only_empty boolean) returns text[]
    language plpgsql security definer set search_path = ${schema}, pg_temp set lock_timeout = '500ms' as $drop$
    declare
      name text;
      has_rows boolean;
      dropped text[] := '{}';
    begin
      for name in
        select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
        where inhparent = (quote_ident(current_schema()) || '.' || quote_ident(parent))::regclass
          and relname ~ ('^' || parent || '_[0-9]{4}_[0-9]{2}$')
          and (to_timestamp(right(relname, 7), 'YYYY_MM')::timestamp + interval '1 month') at time zone 'UTC' <= before
        order by relname
      loop
        if only_empty then
          continue when pg_relation_size(quote_ident(name)::regclass) > 8388608;
          execute format('select exists (select from %I)', name) into has_rows;
          continue when has_rows;
        end if;
        begin
          -- The parent first, in the order in which everybody else locks.
          execute format('lock table only %I in access exclusive mode', parent);
          execute format('lock table only %I in access exclusive mode', name);
          if only_empty then
            execute format('select exists (select from %I)', name) into has_rows;
          end if;
          if not only_empty or not has_rows then
            execute format('drop table %I', name);
            dropped := dropped || name;
          end if;
        exception when lock_not_available then
          null;
        end;
      end loop;
      return dropped;
    end $drop$`.execute(db);
  // Only the owner of an index may summarize it. Returns the number of page ranges that were
  // indexed.
  await sql`
    create function index_newest_entries() returns int8
    language sql security definer set search_path = ${schema}, pg_temp as $index$
      select sum(brin_summarize_new_values(relid)) from pg_partition_tree('journal_entry_newest') where isleaf
    $index$`.execute(db);
  // Operators grant execution to the service's role; no other role needs it.
  await sql`revoke execute on function make_month_partitions(text, timestamptz, timestamptz) from public`.execute(db);
  await sql`revoke execute on function drop_month_partitions(text, timestamptz, boolean) from public`.execute(db);
  await sql`revoke execute on function index_newest_entries() from public`.execute(db);
}
