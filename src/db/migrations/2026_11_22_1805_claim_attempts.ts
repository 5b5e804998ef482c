import { type Kysely, sql } from 'kysely';

/** Which sender makes the attempt that a delivery waits for, so that no other makes it as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhook_delivery
      add column claimed_by text,
      add column claimed_attempt int4,
      add column claimed_until timestamptz`.execute(db);
}
