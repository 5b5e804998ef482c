import { type Kysely, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';

/** A free address that was not checked for earlier use yet. */
export interface UnvettedAddress {
  readonly derivationKeyId: string;
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
  const rows = await db
    .selectFrom('address')
    .select(['derivation_key_id', 'address', 'watch_key'])
    .where('network', '=', network)
    .where('vetted_at', 'is', null)
    .where('taken_at', 'is', null)
    .orderBy('derivation_index')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    derivationKeyId: row.derivation_key_id,
    address: row.address,
    watchKey: row.watch_key,
  }));
}

/** Whether a wallet of the network outside `askedKeyIds` has free addresses but no vetted one. */
export async function hasUnvettedWallet(
  db: Kysely<Database>,
  network: string,
  askedKeyIds: readonly string[],
): Promise<boolean> {
  // Vetted addresses sort first: if the first one is unvetted, all are.
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select 1 from derivation_key as key
      cross join lateral (
        select vetted_at from address where derivation_key_id = key.id and taken_at is null
        order by (vetted_at is null), derivation_index limit 1
      ) as front
      where key.network = ${network} and not key.id = any(${askedKeyIds}::text[]) and front.vetted_at is null
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
  { asked, used, at }: { asked: readonly UnvettedAddress[]; used: ReadonlySet<string>; at: UnixMs },
): Promise<{ readonly skipped: number; readonly usedWallets: readonly UsedWallet[] }> {
  const isUsed = ({ watchKey }: UnvettedAddress) => used.has(watchKey);
  const unused = asked.filter((address) => !isUsed(address));
  const spoilt = asked.filter(isUsed);
  return db.transaction().execute(async (trx) => {
    await sql`
      update address set vetted_at = to_timestamp(${at}::int8 / 1000.0)
      from unnest(${unused.map((each) => each.address)}::text[]) as mine (address)
      where address.network = ${network} and address.address = mine.address and address.taken_at is null`.execute(trx);
    if (spoilt.length === 0) return { skipped: 0, usedWallets: [] };
    const keyIds = [...new Set(spoilt.map((each) => each.derivationKeyId))];
    const known = await withSkippedAddresses(trx, keyIds);
    const { rows } = await sql<{ derivation_key_id: string }>`
      update address set taken_at = now()
      from unnest(${spoilt.map((each) => each.address)}::text[]) as mine (address)
      where address.network = ${network} and address.address = mine.address and address.taken_at is null
      returning derivation_key_id`.execute(trx);
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
    const detail = `${subject} was used before; ${skipped} addresses skipped. Give this service an account of its own`;
    await trx.insertInto('operator_alert').values({ actor_id: null, alert: 'wallet_used_before', detail }).execute();
  }
}
