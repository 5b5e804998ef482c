import { type Kysely, sql } from 'kysely';

/** Keys and indexes for recording unassigned deposits and for checking address history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An output id identifies one output of one address: a contract can pay several addresses in one
  // transaction, and a balance increase is identified by its block alone.
  await sql`
    alter table stray_payment drop constraint stray_payment_pkey,
      add primary key (network, address, asset, output_id)`.execute(db);

  // Vetted addresses are assigned first, then others, each in derivation order.
  await sql`drop index address_free`.execute(db);
  await sql`
    create index address_free on address (derivation_key_id, (vetted_at is null), derivation_index)
    where taken_at is null`.execute(db);
  // Lowest derivation indices of all wallets first: the next addresses to be assigned are vetted
  // next.
  await sql`drop index address_unvetted`.execute(db);
  await sql`
    create index address_unvetted on address (network, derivation_index)
    where vetted_at is null and taken_at is null`.execute(db);
}
