import { type Kysely, sql } from 'kysely';

/**
 * What is deleted from the archive is found by an index, and not by reading the archive every hour. Many who were born shortly before the
 * moment asked for ended after it, so the bounds of the partitions alone would leave a month or two to be read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_schema()) as name`.execute(db);
  // As before: every statement goes by index, whatever the statistics of the tables are or the session has set.
  const settings = `set search_path = ${rows[0]?.name ?? 'public'}, pg_temp
    set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off`;

  // An index of a partitioned table cannot be built concurrently. It is of the table as a whole, so partitions made later have it too.
  await sql`
    create index actor_archive_over on actor_archive (greatest(state_entered_at, last_entry_at))`.execute(db);

  // As before; and nobody ends before they are born, since an actor's own time begins at its birth and never runs backwards. So months
  // that began after the moment asked for are not looked into.
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
