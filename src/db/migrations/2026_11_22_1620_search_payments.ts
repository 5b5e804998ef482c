import { type Kysely, sql } from 'kysely';

/** What merchants look for in their payments: beginnings of ids and order ids, customers, addresses, and the rarer types. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Beginnings, which only bytewise order keeps together. Whole order ids are found by the same index, newest first.
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

  // Nearly all payments are basic: a list of those is the list of all with few left out, and needs no index of its own.
  await sql`
    create index transaction_listing_type
    on transaction (merchant_id, mode, type, status, crypto, created_at desc, id desc)
    where type <> 'basic'`.execute(db);
}
