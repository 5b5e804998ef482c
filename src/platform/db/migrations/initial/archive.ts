import { BY_INDEX, ID } from './storage.ts';

/** The archive of finished actors, and the function that moves them there. */
export function archive(searchPath: string): readonly string[] {
  return [
    // The columns of actor, so that both are read alike, and the whole journal. Partitioned by
    // month.
    `create table actor_archive (
      id ${ID} not null,
      kind ${ID} not null,
      version text not null,
      state ${ID} not null,
      snapshot json not null,
      sequence int8 not null,
      clock_offset_ms int8 not null,
      start_key ${ID},
      created_at timestamptz not null,
      updated_at timestamptz not null,
      state_entered_at timestamptz not null,
      journal bytea not null,
      last_entry_at timestamptz,
      archived_at timestamptz not null,
      primary key (id, created_at)
    ) partition by range (created_at)`,
    // As on actor: lists by state.
    `create index actor_archive_by_state on actor_archive (kind, state, state_entered_at, id)`,
    // Expired rows. Many actors created shortly before the cutoff finished after it, so partition
    // bounds alone would leave a month or two to scan every hour.
    `create index actor_archive_over on actor_archive (greatest(state_entered_at, last_entry_at))`,
    `create table actor_archive_default partition of actor_archive default`,

    // Directory: what the service needs to know of archived actors, and their partition. Kept when
    // a partition is dropped: an id must never be used again. last_change is the step that last
    // changed the actor, so that a payment shows the same step before and after archiving.
    `create table archived_actor (
      id ${ID} primary key,
      kind ${ID} not null,
      state ${ID} not null,
      sequence int8 not null,
      clock_offset_ms int8 not null,
      start_key ${ID} unique,
      created_at timestamptz not null,
      last_change int8 not null
    )`,

    // Archives finished actors, each only if it has not changed since the given sequence. The
    // archived journal is what the delete returns, so that nothing is deleted that is not archived.
    // It is encoded for the engine's unpackJournal. Runs with the rights of the table owner, so
    // that the service's role needs no right to delete.
    `create function archive_actors(ids text[], sequences int8[], moment timestamptz) returns setof text
    language plpgsql security definer ${searchPath} ${BY_INDEX} as $archive$
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
        where (actor.sequence, actor.sequence) <> (
          select count(*), count(distinct entry.sequence) from journal_entry as entry
          where entry.actor_id = actor.id and entry.born = actor.created_at)
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
            '\\x02'::bytea || convert_to(json_agg(json_build_array(
              sequence, event_id, event, outcome, state, version, floor(extract(epoch from at) * 1000), error
            ) order by sequence)::text, 'UTF8') as journal
          from taken group by actor_id
        ), named as (
          insert into archived_actor (id, kind, state, sequence, clock_offset_ms, start_key, created_at, last_change)
          select id, kind, state, sequence, clock_offset_ms, start_key, created_at, last_change from gone
        )
        insert into actor_archive (id, kind, version, state, snapshot, sequence, clock_offset_ms, start_key, created_at,
          updated_at, state_entered_at, journal, last_entry_at, archived_at)
        select gone.id, kind, version, state, snapshot, sequence, clock_offset_ms, start_key, created_at,
          updated_at, state_entered_at, packed.journal, packed.last_entry_at, moment
        from gone left join packed on packed.actor_id = gone.id
        returning actor_archive.id;
    end $archive$`,
    `revoke execute on function archive_actors(text[], int8[], timestamptz) from public`,
  ];
}
