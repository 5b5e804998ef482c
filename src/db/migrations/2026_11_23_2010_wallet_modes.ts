import { type Kysely, sql } from 'kysely';

/**
 * A wallet's key takes live payments or test payments, and never both. Keys that merchants gave so far take live payments; the
 * built-in keys of the simulated networks take test payments. No key of a main network can take test payments.
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
