import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../src/platform/db/index.ts';

/** Columns of each table with their types; rows are objects with these fields. */
export const TABLES = {
  // The next timer is in the actor's row, which every event rewrites anyway.
  lean_actor: `id text, state text, snapshot text, timers text, gate text, due_at int8`,
  lean_journal: `actor_id text, event_id text, state text, at int8, event text`,
  // The agreed terms: written once, with the indexes for searches.
  lean_terms: `id text, merchant_id text, mode text, type text, crypto text, network text, deposit_address text,
    due_base_units numeric, amount_crypto text, amount_fiat text, amount_usd text, currency_fiat text,
    fiat_to_usd_rate text, exchange_rate text, rate_sources text, rates_at int8, confirmations_required int4, order_id text,
    customer_email text, items text, metadata text, success_url text, cancel_url text, idempotency_key text,
    request_hash text, created_at int8`,
  // What changes.
  lean_status: `id text, merchant_id text, mode text, status text, exception text, paid_base_units numeric,
    updated_at int8, expires_at int8, completed_at int8, completed_by text`,
  lean_coin: `id text, output_id text, txid text, amount_base_units numeric, presence text, status text, height int8,
    block_hash text, first_seen_at int8, confirmed_at int8`,
  // The webhook event, which is also the message to be published.
  lean_event: `id text, transaction_id text, merchant_id text, mode text, event text, body text, created_at int8`,
} as const;

const INDEXES = [
  'create unique index on lean_actor (id)',
  'create index on lean_actor (gate, due_at) where due_at is not null',
  // Also finds repeated events.
  'create unique index on lean_journal (actor_id, event_id)',
  // Ids rise with time, so lists are sorted by them.
  'create unique index on lean_terms (id)',
  'create index on lean_terms (merchant_id, mode, id)',
  'create index on lean_terms (merchant_id, mode, lower(deposit_address))',
  'create index on lean_terms (merchant_id, mode, hashtextextended(metadata, 0)) where metadata is not null',
  'create index on lean_terms (merchant_id, mode, order_id, id) where order_id is not null',
  'create index on lean_terms (merchant_id, mode, lower(customer_email)) where customer_email is not null',
  'create unique index on lean_status (id)',
  'create index on lean_status (merchant_id, mode, status, id)',
  'create unique index on lean_coin (id, output_id)',
  'create index on lean_coin (txid)',
  'create unique index on lean_event (id)',
  'create index on lean_event (id) where not is_published',
];

export async function createLeanTables(db: Kysely<Database>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  for (const [table, columns] of Object.entries(TABLES)) {
    const bytewise = columns.replaceAll(' text', ' text collate "C"');
    const more = table === 'lean_event' ? ', is_published boolean not null default false' : '';
    await run(`create table ${table} (${bytewise}${more}) with (fillfactor = 70)`);
  }
  for (const statement of INDEXES) await run(statement);
  await run('create table lean_address (index int8 primary key, address text not null)');
  await run('create table lean_key (next_index int8 not null, stocked_to int8 not null)');
  await run('insert into lean_key values (1, 0)');
}

/** Provides free addresses until so many are free; they are invented, like the engine's. */
export async function stockLeanAddresses(db: Kysely<Database>, count: number): Promise<void> {
  await sql`
    with stocked as (
      insert into lean_address select index, 'bench1q' || md5(index::text)
      from lean_key, generate_series(stocked_to + 1, next_index + ${count}::int8) as index
    )
    update lean_key set stocked_to = greatest(stocked_to, next_index + ${count}::int8)`.execute(db);
}
