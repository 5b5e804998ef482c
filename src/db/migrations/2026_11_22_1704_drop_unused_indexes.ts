import { type Kysely, sql } from 'kysely';

/**
 * Drops indexes that cost every write and that no statement uses: `test/db/index-uses.ts` documents
 * the use of all others.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Payments beyond a link's `max_uses` are counted in its own row.
  await sql`drop index link_payment_excess`.execute(db);
  // Operator actions are read by time and by person.
  await sql`drop index operator_action_of_subject`.execute(db);
  // There are few endpoints, and the query for those that need attention has three conditions, of
  // which this index covers two.
  await sql`drop index webhook_endpoint_failing`.execute(db);
}
