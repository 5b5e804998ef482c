import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { skipFree } from './skip-addresses.ts';

/** A free address that was not yet checked for earlier use. */
export interface UnvettedAddress {
  readonly derivationKeyId: string;
  readonly derivationIndex: number;
  readonly address: string;
  readonly watchKey: string;
}

/** A wallet with used addresses found for the first time. */
export interface UsedWallet {
  readonly derivationKeyId: string;
  readonly skipped: number;
}

/** Unvetted free addresses of a network, lowest indices of all its wallets first. */
export async function loadUnvetted(db: Kysely<Database>, network: string, limit: number): Promise<UnvettedAddress[]> {
  const { rows } = await sql<UnvettedAddress>`
    select address.derivation_key_id as "derivationKeyId", address.derivation_index as "derivationIndex",
      address.address, address.watch_key as "watchKey"
    from (
      select derivation_key_id, derivation_index from free_address where network = ${network} and awaits_vetting
      order by derivation_index limit ${limit}
    ) as free
    join address on address.derivation_key_id = free.derivation_key_id
      and address.derivation_index = free.derivation_index
    order by free.derivation_index`.execute(db);
  return rows;
}

/**
 * Whether a wallet of the network outside `requestedKeyIds` has free addresses but no vetted one.
 */
export async function hasUnvettedWallet(
  db: Kysely<Database>,
  network: string,
  requestedKeyIds: readonly string[],
): Promise<boolean> {
  // Vetted addresses sort first: if the first one is unvetted, all are.
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select 1 from derivation_key as key
      cross join lateral (
        select awaits_vetting from free_address where derivation_key_id = key.id
        order by awaits_vetting, derivation_index limit 1
      ) as front
      where key.network = ${network} and not key.id = any(${requestedKeyIds}::text[]) and front.awaits_vetting
    ) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/**
 * Saves the result for addresses that are still free: unused ones are marked vetted, used ones are
 * never assigned. Returns how many were skipped, and the wallets that had no skipped address
 * before; inserts an operator alert for each of these.
 */
export async function recordVerdict(
  db: Kysely<Database>,
  network: string,
  { requested, used, at }: { requested: readonly UnvettedAddress[]; used: ReadonlySet<string>; at: UnixMs },
): Promise<{ readonly skipped: number; readonly usedWallets: readonly UsedWallet[] }> {
  const isUsed = ({ watchKey }: UnvettedAddress) => used.has(watchKey);
  const unused = requested.filter((address) => !isUsed(address));
  const spoilt = requested.filter(isUsed);
  return db.transaction().execute(async (trx) => {
    await sql`
      with vetted as (
        update free_address set awaits_vetting = false where ${isOneOf(unused)} and awaits_vetting
        returning derivation_key_id, derivation_index
      )
      update address set vetted_at = to_timestamp(${at}::int8 / 1000.0) from vetted
      where address.derivation_key_id = vetted.derivation_key_id
        and address.derivation_index = vetted.derivation_index`.execute(trx);
    if (spoilt.length === 0) return { skipped: 0, usedWallets: [] };
    const keyIds = [...new Set(spoilt.map((each) => each.derivationKeyId))];
    const known = await withSkippedAddresses(trx, keyIds);
    const rows = await skipFree(trx, isOneOf(spoilt));
    // The coins of an address that was assigned meanwhile may be those of its payment.
    await sql`
      update address set found_used_at = to_timestamp(${at}::int8 / 1000.0)
      where ${isOneOf(spoilt)} and transaction_id is null`.execute(trx);
    const usedWallets = keyIds
      .filter((keyId) => !known.has(keyId))
      .map((derivationKeyId) => ({
        derivationKeyId,
        skipped: rows.filter((row) => row.derivation_key_id === derivationKeyId).length,
      }))
      .filter(({ skipped }) => skipped > 0);
    await alertOf(trx, network, usedWallets);
    return { skipped: rows.length, usedWallets };
  });
}

// Helpers

/** Whether a row of `free_address` or `address` is one of these addresses. */
function isOneOf(addresses: readonly UnvettedAddress[]): RawBuilder<unknown> {
  return sql`(derivation_key_id, derivation_index) in (
    select * from ${unnestRows('given', { text: ['derivationKeyId'], int8: ['derivationIndex'] }, addresses)}
  )`;
}

/** Wallets with skipped addresses: an alert exists already, or the operator skipped them. */
async function withSkippedAddresses(trx: Transaction<Database>, keyIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select key.id from unnest(${keyIds}::text[]) as key (id)
    where exists (
      select 1 from address
      where derivation_key_id = key.id and taken_at is not null and transaction_id is null limit 1
    )`.execute(trx);
  return new Set(rows.map((row) => row.id));
}

async function alertOf(trx: Transaction<Database>, network: string, wallets: readonly UsedWallet[]): Promise<void> {
  for (const { derivationKeyId, skipped } of wallets) {
    const owners = await trx
      .selectFrom('wallet')
      .innerJoin('merchant', 'merchant.id', 'wallet.merchant_id')
      .select(['merchant.name', 'wallet.crypto'])
      .where('wallet.derivation_key_id', '=', derivationKeyId)
      .orderBy('merchant.name')
      .orderBy('wallet.crypto')
      .execute();
    const named = owners.map(({ name, crypto }) => `${crypto} of ${name}`).join(', ');
    const subject =
      named === '' ? `a wallet on ${network} (${derivationKeyId})` : `the wallet for ${named} on ${network}`;
    const detail = `${subject} was used before; ${skipped} addresses skipped. Use a separate wallet account for this service`;
    await trx.insertInto('operator_alert').values({ actor_id: null, alert: 'wallet_used_before', detail }).execute();
  }
}
