import { type Kysely, sql } from 'kysely';

/** Indexes that every write has paid for and no statement goes by: `test/db/index-uses.ts` says of each of the others what it is for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // How often a link was paid beyond its uses is a count in its own row.
  await sql`drop index link_payment_excess`.execute(db);
  // What operators did is read by time and by person.
  await sql`drop index operator_action_of_subject`.execute(db);
  // Endpoints are few, and which of them need a look is asked by three conditions at once, of which this answers two.
  await sql`drop index webhook_endpoint_failing`.execute(db);
}
