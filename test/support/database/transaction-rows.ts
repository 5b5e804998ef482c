import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../src/platform/db/index.ts';

/** Writes the rows of payments into all tables with their columns, without their actors. */

const TABLES = ['transaction_terms', 'transaction_status'] as const;

/**
 * Inserts payments. `given` is an SQL FROM item of this name with columns of `transaction`; those
 * left out have their default, or are null.
 */
export async function insertTransactions(db: Kysely<Database>, given: RawBuilder<unknown>): Promise<void> {
  await insertDocuments(db, sql`select to_jsonb(given) as document from ${given}`);
}

/** The same of objects with these columns as fields. */
export async function insertTransactionRows(db: Kysely<Database>, rows: readonly object[]): Promise<void> {
  await insertDocuments(db, sql`select document from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as document`);
}

/** Overwrites columns of a payment, or of all payments on a network. */
export async function changeTransactions(
  db: Kysely<Database>,
  columns: Readonly<Record<string, unknown>>,
  which: { readonly id: string } | { readonly network: string },
): Promise<void> {
  const condition = 'id' in which ? sql`id = ${which.id}` : sql`network = ${which.network}`;
  const { rows } = await sql<{ id: string }>`select id from transaction where ${condition}`.execute(db);
  const ids = rows.map(({ id }) => id);
  for (const table of TABLES) {
    const { rows: names } = await sql<{ name: string }>`
      select attname::text as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0`.execute(db);
    const own = Object.entries(columns).filter(([column]) => names.some(({ name }) => name === column));
    if (own.length === 0) continue;
    const set = sql.join(own.map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
    await sql`update ${sql.table(table)} set ${set} where id = any(${ids}::text[])`.execute(db);
  }
}

export async function deleteTransactions(db: Kysely<Database>): Promise<void> {
  for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(db);
}

// Helpers

async function insertDocuments(db: Kysely<Database>, documents: RawBuilder<unknown>): Promise<void> {
  const rowsOf = (table: string) => sql`
    select fresh.* from given cross join lateral jsonb_populate_record(null::${sql.table(table)}, ${DEFAULTS} || jsonb_build_object('rates_at', document -> 'created_at') || document) as fresh`;
  await sql`
    with given as materialized (${documents}),
      terms as (insert into transaction_terms ${rowsOf('transaction_terms')})
    insert into transaction_status ${rowsOf('transaction_status')}`.execute(db);
}

const DEFAULTS = sql`'{"step": 1, "customer_gave_email": false}'::jsonb`;
