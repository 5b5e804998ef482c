import { type Kysely, sql } from 'kysely';

/** The sender that has claimed a delivery's current attempt, so that no other makes it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhook_delivery
      add column claimed_by text,
      add column claimed_attempt int4,
      add column claimed_until timestamptz`.execute(db);
}
