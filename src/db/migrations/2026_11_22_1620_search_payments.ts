import { type Kysely, sql } from 'kysely';

/**
 * Payment search for merchants: prefixes of ids and order ids, customers, addresses, and the rarer
 * types.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Prefix searches, which need bytewise collation. Exact order ids use the same index, newest
  // first.
  await sql`
    create index transaction_search_id on transaction (merchant_id, mode, id collate "C")`.execute(db);
  await sql`
    create index transaction_search_order
    on transaction (merchant_id, mode, order_id collate "C", created_at desc, id desc)
    where order_id is not null`.execute(db);
  await sql`drop index transaction_listing_order`.execute(db);

  await sql`
    create index transaction_search_customer on transaction (merchant_id, mode, lower(customer_email))
    where customer_email is not null`.execute(db);
  await sql`
    create index transaction_search_address on transaction (merchant_id, mode, lower(deposit_address))`.execute(db);

  // Almost all payments are basic: a list of those is the whole list with a few rows skipped, and
  // needs no index.
  await sql`
    create index transaction_listing_type
    on transaction (merchant_id, mode, type, status, crypto, created_at desc, id desc)
    where type <> 'basic'`.execute(db);
}
