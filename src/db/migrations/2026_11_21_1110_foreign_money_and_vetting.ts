import { type Kysely, sql } from 'kysely';

/** Keys and indexes that recording foreign money and asking about the history of addresses turned out to need. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An output id names one output of one address: a contract can pay several addresses in one transaction, and a rise
  // of a balance is named after its block alone.
  await sql`
    alter table stray_payment drop constraint stray_payment_pkey,
      add primary key (network, address, asset, output_id)`.execute(db);

  // Vetted addresses are handed out first, each kind in the order of the index.
  await sql`drop index address_free`.execute(db);
  await sql`
    create index address_free on address (derivation_key_id, (vetted_at is null), derivation_index)
    where taken_at is null`.execute(db);
  // Lowest indices of all wallets first: whoever is handed out next is asked about next.
  await sql`drop index address_unvetted`.execute(db);
  await sql`
    create index address_unvetted on address (network, derivation_index)
    where vetted_at is null and taken_at is null`.execute(db);
}
