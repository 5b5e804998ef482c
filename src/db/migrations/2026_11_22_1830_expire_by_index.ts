import { type Kysely, sql } from 'kysely';

/**
 * Finds expired archive rows by an index instead of scanning the archive every hour. Many actors
 * created shortly before the cutoff finished after it, so partition bounds alone would leave a
 * month or two to scan.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_schema()) as name`.execute(db);
  // As before: plans every statement by index, whatever the table statistics or session settings.
  const settings = `set search_path = ${rows[0]?.name ?? 'public'}, pg_temp
    set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off`;

  // An index on a partitioned table cannot be built concurrently. It is defined on the parent, so
  // later partitions have it too.
  await sql`
    create index actor_archive_over on actor_archive (greatest(state_entered_at, last_entry_at))`.execute(db);

  // As before; and no actor finishes before it is created, because its own time starts at its
  // creation and never runs backwards. So months after the cutoff are not scanned.
  await sql`
    create or replace function expire_archived_actors(before timestamptz, most int8) returns setof text
    language plpgsql security definer ${sql.raw(settings)} as $expire$
    begin
      if before is null or before > now() - interval '390 days' then
        raise exception 'rows of actor_archive are kept for 390 days at least' using errcode = 'insufficient_privilege';
      end if;
      return query delete from actor_archive as kept using (
        select id, created_at from actor_archive
        where greatest(state_entered_at, last_entry_at) < before and created_at < before
        limit most for update skip locked
      ) as old where kept.id = old.id and kept.created_at = old.created_at returning kept.id;
    end $expire$`.execute(db);
}
