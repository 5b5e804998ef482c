import { type Kysely, sql } from 'kysely';

/**
 * Records in the archive directory which step last changed an actor, so that a payment shows the
 * same step before and after archiving.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table archived_actor add column last_change int8`.execute(db);
  const { rows } = await sql<{ name: string }>`select quote_ident(current_schema()) as name`.execute(db);
  // As before: plans every statement by index, whatever the table statistics or session settings.
  const settings = `set search_path = ${rows[0]?.name ?? 'public'}, pg_temp
    set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off`;
  await sql`
    create or replace function archive_actors(ids text[], sequences int8[], moment timestamptz) returns setof text
    language plpgsql security definer ${sql.raw(settings)} as $archive$
    declare
      mine text[];
      torn text;
    begin
      select array_agg(locked.id) into mine from (
        select actor.id from unnest(ids, sequences) as asked (id, sequence)
          join actor on actor.id = asked.id and actor.sequence = asked.sequence and actor.status = 'done'
        order by actor.id for update of actor skip locked
      ) as locked;
      select actor.id into torn from unnest(mine) as asked (id) join actor on actor.id = asked.id
        where actor.sequence <> (
          select count(*) from journal_entry as entry where entry.actor_id = actor.id and entry.born = actor.created_at)
        limit 1;
      if torn is not null then
        raise exception 'the journal of % is not complete, so it cannot be archived', torn;
      end if;
      return query
        with gone as (
          delete from actor using unnest(mine) as asked (id) where actor.id = asked.id returning actor.*
        ), taken as (
          delete from journal_entry as entry using unnest(mine) as asked (id) join actor on actor.id = asked.id
          where entry.actor_id = actor.id and entry.born = actor.created_at
          returning entry.*
        ), packed as (
          select actor_id, max(at) as last_entry_at,
            max(sequence) filter (where outcome in ('started', 'applied')) as last_change,
            '\\x02'::bytea || convert_to(json_agg(json_build_array(
              sequence, event_id, event, outcome, state, version, floor(extract(epoch from at) * 1000), error
            ) order by sequence)::text, 'UTF8') as journal
          from taken group by actor_id
        ), named as (
          insert into archived_actor (id, kind, state, sequence, clock_offset_ms, start_key, created_at, last_change)
          select id, kind, state, sequence, clock_offset_ms, start_key, created_at, packed.last_change
          from gone left join packed on packed.actor_id = gone.id
        )
        insert into actor_archive (id, kind, version, state, snapshot, sequence, clock_offset_ms, start_key, created_at,
          updated_at, state_entered_at, journal, last_entry_at, archived_at)
        select gone.id, kind, version, state, snapshot, sequence, clock_offset_ms, start_key, created_at,
          updated_at, state_entered_at, packed.journal, packed.last_entry_at, moment
        from gone left join packed on packed.actor_id = gone.id
        returning actor_archive.id;
    end $archive$`.execute(db);
}
