import { type Kysely, sql } from 'kysely';

/**
 * Updates balances of all watched accounts per block and compares them periodically, not only those
 * of open payments. An earlier version moves the cursor without updating them, which
 * `balances_height` detects.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table chain_block add column flows jsonb`.execute(db);
  await sql`
    alter table chain_cursor add column balances_height int8, add column balance_era int8 not null default 0`.execute(
    db,
  );
  await sql`
    alter table account_balance alter column expected_base_units drop not null,
      add column era int8 not null default 0,
      add column due_at timestamptz not null default now()`.execute(db);
}
