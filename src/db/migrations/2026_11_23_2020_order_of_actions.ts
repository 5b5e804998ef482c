import { type Kysely, sql } from 'kysely';

/**
 * Orders actions of the same millisecond by the start of their transactions; their ids are random.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operator_action add column inserted_xid int8`.execute(db);
  await sql`
    alter table operator_action alter column inserted_xid set default (pg_current_xact_id()::text::int8)`.execute(db);
}
