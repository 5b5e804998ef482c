import { type Kysely, sql } from 'kysely';

/**
 * A wallet's key receives live payments or test payments, never both. Existing merchant keys
 * receive live payments; the built-in keys of the simulated networks test payments. No key of a
 * main network can receive test payments.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table derivation_key add column mode text not null default 'live'
      constraint derivation_key_mode_check check (mode in ('live', 'test'))`.execute(db);
  await sql`update derivation_key set mode = 'test' where network like 'simulated-%'`.execute(db);
  await sql`
    alter table derivation_key add constraint derivation_key_no_test_on_main
      check (mode = 'live' or network not like '%-mainnet')`.execute(db);
}
