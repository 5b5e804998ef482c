import { type Kysely, sql } from 'kysely';

/**
 * Functions that delete from append-only tables. They run with the rights of the table owner and
 * enforce the retention rules themselves, so that the service's database role needs no right to
 * delete.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_schema()) as name`.execute(db);
  // Plans every statement by index, whatever the table statistics or session settings; see the
  // engine's `planByIndex`.
  const settings = `set search_path = ${rows[0]?.name ?? 'public'}, pg_temp
    set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off`;

  // From the stored journal, not from the caller: when its last entry was written.
  await sql`alter table actor_archive add column last_entry_at timestamptz`.execute(db);
  await createArchiveFunction(db, settings);
  for (const rule of EXPIRED) await createExpireFunction(db, rule, settings);
}

interface Expired {
  readonly name: string;
  readonly table: string;
  readonly key: readonly string[];
  /** Column or columns with the time a row was written, which cannot be changed afterwards. */
  readonly writtenAt: string;
  /** A few days less than the minimum setting, to allow for clock skew. */
  readonly leastDays: number;
}

const EXPIRED: readonly Expired[] = [
  {
    name: 'expire_audit_entries',
    table: 'audit_entry',
    key: ['id'],
    writtenAt: 'occurred_at',
    leastDays: 360,
  },
  {
    name: 'expire_operator_actions',
    table: 'operator_action',
    key: ['request_id'],
    writtenAt: 'asked_at',
    leastDays: 360,
  },
  {
    // An actor's row can be changed until it is archived; its journal cannot.
    name: 'expire_archived_actors',
    table: 'actor_archive',
    key: ['id', 'created_at'],
    writtenAt: 'greatest(state_entered_at, last_entry_at)',
    leastDays: 390,
  },
];

/**
 * Archives finished actors, each only if it has not changed since the given sequence. The archived
 * journal is what the delete returns, so that nothing is deleted that is not archived. A journal is
 * encoded for the engine's `unpackJournal`.
 */
async function createArchiveFunction(db: Kysely<unknown>, settings: string): Promise<void> {
  await sql`
    create function archive_actors(ids text[], sequences int8[], moment timestamptz) returns setof text
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
            '\\x02'::bytea || convert_to(json_agg(json_build_array(
              sequence, event_id, event, outcome, state, version, floor(extract(epoch from at) * 1000), error
            ) order by sequence)::text, 'UTF8') as journal
          from taken group by actor_id
        ), named as (
          insert into archived_actor (id, kind, state, sequence, clock_offset_ms, start_key, created_at)
          select id, kind, state, sequence, clock_offset_ms, start_key, created_at from gone
        )
        insert into actor_archive (id, kind, version, state, snapshot, sequence, clock_offset_ms, start_key, created_at,
          updated_at, state_entered_at, journal, last_entry_at, archived_at)
        select gone.id, kind, version, state, snapshot, sequence, clock_offset_ms, start_key, created_at,
          updated_at, state_entered_at, packed.journal, packed.last_entry_at, moment
        from gone left join packed on packed.actor_id = gone.id
        returning actor_archive.id;
    end $archive$`.execute(db);
  await sql`revoke execute on function archive_actors(text[], int8[], timestamptz) from public`.execute(db);
}

/**
 * Creates a function that deletes up to `most` rows written before a given time, and rejects a time
 * within the minimum retention. It returns the first key column of each.
 */
async function createExpireFunction(db: Kysely<unknown>, rule: Expired, settings: string): Promise<void> {
  const { name, table, key, writtenAt, leastDays } = rule;
  const isSame = key.map((column) => `kept.${column} = old.${column}`).join(' and ');
  await sql
    .raw(`
    create function ${name}(before timestamptz, most int8) returns setof text
    language plpgsql security definer ${settings} as $expire$
    begin
      if before is null or before > now() - interval '${leastDays} days' then
        raise exception 'rows of ${table} are kept for ${leastDays} days at least' using errcode = 'insufficient_privilege';
      end if;
      return query delete from ${table} as kept using (
        select ${key.join(', ')} from ${table} where ${writtenAt} < before limit most for update skip locked
      ) as old where ${isSame} returning kept.${key[0]}::text;
    end $expire$`)
    .execute(db);
  await sql.raw(`revoke execute on function ${name}(timestamptz, int8) from public`).execute(db);
}
