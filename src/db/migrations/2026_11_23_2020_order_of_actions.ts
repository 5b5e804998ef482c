import { type Kysely, sql } from 'kysely';

/** Actions of one millisecond are listed in the order in which their transactions began; their ids are random. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operator_action add column inserted_xid int8`.execute(db);
  await sql`
    alter table operator_action alter column inserted_xid set default (pg_current_xact_id()::text::int8)`.execute(db);
}
