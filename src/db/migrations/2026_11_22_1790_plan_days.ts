import { type Kysely, sql } from 'kysely';

/**
 * A plan bought on a 31st ends on the last day of each month, not on the 28th from its first
 * February on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table merchant add column plan_ends_on_day int2 check (plan_ends_on_day between 1 and 31)`.execute(db);
}
