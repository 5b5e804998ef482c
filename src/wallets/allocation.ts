import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { type Database, unnestRows } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import type { AddressType } from './address-formats.ts';
import { type AddressRow, type DerivationRange, deriveRows, insertAddresses } from './derived-rows.ts';

/**
 * Address allocation. Addresses are derived ahead into rows and assigned in index order inside the
 * database transaction that creates the payment. So creating a payment does not wait for key
 * derivation, no two payments share an address, and a failed creation leaves no gap. No index is
 * ever used twice.
 *
 * Vetted addresses (checked on the chain for earlier use) are assigned before unvetted ones;
 * allocation never waits for vetting. This leaves no lasting gap: vetting starts with the lowest
 * indices and covers all free addresses, so vetted ones are first in index order as well. Only an
 * address inserted late (by `deriveMissing`) is skipped until it is vetted or no vetted one is
 * left. Assigning it after higher indices does not hide it, because wallets scan on from the last
 * used one.
 */

export interface AddressRequest {
  readonly derivationKeyId: string;
  readonly transactionId: string;
}

/** Derives a range, in this thread or in a worker thread. */
export type Derive = (range: DerivationRange) => Promise<AddressRow[]>;

export interface TakenAddress {
  readonly address: string;
  readonly watchKey: string;
  readonly derivationIndex: number;
}

/**
 * Assigns each request the first free address of its key: vetted first, then lowest index. Returns
 * them in the order of the requests. Throws a `TerminalError` `ADDRESS_GENERATION_FAILED`.
 */
export async function takeAddresses(
  trx: Transaction<Database>,
  requests: readonly AddressRequest[],
): Promise<TakenAddress[]> {
  const taken = await takeFree(trx, requests);
  const missing = requests.filter(({ transactionId }) => !taken.has(transactionId));
  if (missing.length > 0) {
    for (const [keyId, group] of byKey(missing)) await deriveMore(trx, keyId, group.length);
    for (const [transactionId, address] of await takeFree(trx, missing)) taken.set(transactionId, address);
  }
  return requests.map(({ transactionId }) => {
    const address = taken.get(transactionId);
    if (address !== undefined) return address;
    const message = 'No address could be derived from the wallet; nothing was created. Try again';
    throw new TerminalError('ADDRESS_GENERATION_FAILED', message);
  });
}

/**
 * Derives addresses until `ahead` free ones exist; returns how many it added. Indices are reserved
 * first and derived outside any transaction, so no row is locked during derivation. `deriveMissing`
 * finds indices that a crash left reserved without an address.
 */
export async function deriveAhead(
  db: Kysely<Database>,
  derivationKeyId: string,
  { ahead, derive }: { ahead: number; derive: Derive },
): Promise<number> {
  const { rows } = await sql<{ free: number }>`
    select count(*)::int4 as free from (
      select 1 from free_address where derivation_key_id = ${derivationKeyId} limit ${ahead}
    ) as free`.execute(db);
  const count = ahead - (rows[0]?.free ?? 0);
  if (count <= 0) return 0;
  const key = await reserveIndices(db, derivationKeyId, count);
  await insertAddresses(db, await derive(rangeOf(key, { firstIndex: key.next_index - count, count })));
  return count;
}

/** How far back to search for missing indices: far more than all processes together can reserve. */
const MISSING_WITHIN_INDICES = 20_000;

/**
 * Derives reserved indices that have no address because the process that reserved them crashed;
 * left as they are, they would be gaps beyond which wallets do not scan. Safe to run concurrently
 * with other derivation, because an index always gives the same row. Returns how many it derived.
 */
export async function deriveMissing(db: Kysely<Database>, derivationKeyId: string, derive: Derive): Promise<number> {
  const { rows: missing } = await sql<DerivationKeyRow & { index: number }>`
    select key.id, key.network, key.extended_public_key, key.address_type, key.next_index, series.index
    from derivation_key as key cross join lateral generate_series(
      greatest(0, key.next_index - ${MISSING_WITHIN_INDICES}), key.next_index - 1
    ) as series (index)
    left join address on address.derivation_key_id = key.id and address.derivation_index = series.index
    where key.id = ${derivationKeyId} and address.address is null
    order by series.index`.execute(db);
  for (const key of missing) await insertAddresses(db, await derive(rangeOf(key, { firstIndex: key.index, count: 1 })));
  return missing.length;
}

/** Addresses derived and inserted per batch when there may be very many. Takes a few seconds. */
const PART_ADDRESSES = 5_000;

/**
 * After a restore from a backup: skips every index below the next one plus `by`, because the lost
 * database may have assigned them. That includes indices that were reserved without an address when
 * the backup was made. Skipped addresses stay watched. Returns the first index that may still be
 * assigned.
 *
 * Works in batches to bound memory and the time between two statements. Concurrent requests for
 * addresses of the wallet get free ones, or wait for the commit.
 */
export async function advanceIndex(
  trx: Transaction<Database>,
  derivationKeyId: string,
  by: number,
  { partAddresses = PART_ADDRESSES }: { readonly partAddresses?: number } = {},
): Promise<number> {
  await deriveMissing(trx, derivationKeyId, async (range) => deriveOrReject(range));
  for (let left = by; left > 0; left -= partAddresses) {
    await deriveMore(trx, derivationKeyId, Math.min(left, partAddresses));
  }
  await skipFree(trx, sql`derivation_key_id = ${derivationKeyId}`);
  const key = await trx
    .selectFrom('derivation_key')
    .select('next_index')
    .where('id', '=', derivationKeyId)
    .executeTakeFirstOrThrow();
  return key.next_index;
}

/**
 * Skips the next `count` free addresses, lowest index first, because another program has already
 * used them. They stay watched. Returns the highest skipped index.
 */
export async function skipAddresses(
  trx: Transaction<Database>,
  derivationKeyId: string,
  count: number,
): Promise<number> {
  const { rows: free } = await sql<{ index: number }>`
    select derivation_index as index from free_address where derivation_key_id = ${derivationKeyId}
    order by derivation_index limit ${count} for update`.execute(trx);
  const missing = count - free.length;
  const more = missing > 0 ? await deriveMore(trx, derivationKeyId, missing) : [];
  const indices = [...free, ...more].map(({ index }) => index);
  await skipFree(trx, sql`derivation_key_id = ${derivationKeyId} and derivation_index = any(${indices}::int8[])`);
  return Math.max(...indices);
}

/**
 * Permanently removes the free addresses that match `condition`; they stay watched. Returns the
 * wallet of each.
 */
export async function skipFree(
  trx: Transaction<Database>,
  condition: RawBuilder<unknown>,
): Promise<{ derivation_key_id: string }[]> {
  const { rows } = await sql<{ derivation_key_id: string }>`
    with skipped as (delete from free_address where ${condition} returning derivation_key_id, derivation_index)
    update address set taken_at = now() from skipped
    where address.derivation_key_id = skipped.derivation_key_id
      and address.derivation_index = skipped.derivation_index
    returning address.derivation_key_id`.execute(trx);
  return rows;
}

// Helpers

/** Requests by their key, in one order for all batches so that two cannot deadlock. */
function byKey(requests: readonly AddressRequest[]): [string, AddressRequest[]][] {
  const groups = new Map<string, AddressRequest[]>();
  for (const request of requests) {
    const group = groups.get(request.derivationKeyId);
    if (group === undefined) groups.set(request.derivationKeyId, [request]);
    else group.push(request);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Assigns free addresses, as many as there are, and returns them by transaction. Deleting the row
 * of a free address is what assigns it, so no address can serve two payments. Rows locked by other
 * transactions are skipped. The payments of one key are consecutive in `ids`, so that each finds
 * its own by its position.
 */
async function takeFree(
  trx: Transaction<Database>,
  requests: readonly AddressRequest[],
): Promise<Map<string, TakenAddress>> {
  const groups = byKey(requests);
  const ids = groups.flatMap(([, group]) => group.map(({ transactionId }) => transactionId));
  let sum = 0;
  const requested = groups.map(([key_id, { length: count }]) => {
    sum += count;
    return { key_id, count, before: sum - count };
  });
  const { rows } = await sql<TakenAddress & { transactionId: string }>`
    with picked as (
      select free.*, (${ids}::text[])[requested.before + row_number() over (
        partition by free.derivation_key_id order by free.awaits_vetting, free.derivation_index
      )] as transaction_id
      from ${unnestRows('requested', { text: ['key_id'], int8: ['count', 'before'] }, requested)}
      cross join lateral (
        select derivation_key_id, awaits_vetting, derivation_index from free_address
        where derivation_key_id = requested.key_id
        order by awaits_vetting, derivation_index limit requested.count
        for update skip locked
      ) as free
    ), taken as (
      delete from free_address as free using picked
      where free.derivation_key_id = picked.derivation_key_id and free.awaits_vetting = picked.awaits_vetting
        and free.derivation_index = picked.derivation_index
      returning free.derivation_key_id, free.derivation_index, picked.transaction_id
    )
    update address set transaction_id = taken.transaction_id, taken_at = now() from taken
    where address.derivation_key_id = taken.derivation_key_id
      and address.derivation_index = taken.derivation_index and address.taken_at is null
    returning address.transaction_id as "transactionId", address.address, address.watch_key as "watchKey",
      address.derivation_index as "derivationIndex"`.execute(trx);
  return new Map(rows.map(({ transactionId, ...address }) => [transactionId, address]));
}

/** Derives all `count` in memory: callers pass the need of one request, or one batch. */
async function deriveMore(trx: Transaction<Database>, keyId: string, count: number): Promise<AddressRow[]> {
  const key = await reserveIndices(trx, keyId, count);
  const rows = deriveOrReject(rangeOf(key, { firstIndex: key.next_index - count, count }));
  await insertAddresses(trx, rows);
  return rows;
}

/** Keys are validated when stored, so a key without addresses has been corrupted since. */
function deriveOrReject(range: DerivationRange): AddressRow[] {
  try {
    return deriveRows(range);
  } catch (cause) {
    const message = `No address can be derived from the stored extended key ${range.derivationKeyId}; restore its row from a backup`;
    throw new TerminalError('ADDRESS_GENERATION_FAILED', message, { cause });
  }
}

/** Advances the key's `next_index` by `count`, which reserves the indices below it. */
async function reserveIndices(db: Kysely<Database>, keyId: string, count: number): Promise<DerivationKeyRow> {
  const key = await db
    .updateTable('derivation_key')
    .set((eb) => ({ next_index: eb('next_index', '+', count) }))
    .where('id', '=', keyId)
    .returning(['id', 'network', 'extended_public_key', 'address_type', 'next_index'])
    .executeTakeFirst();
  if (key === undefined) throw new TerminalError('ADDRESS_GENERATION_FAILED', 'The wallet no longer exists');
  return key;
}

type DerivationKeyRow = Pick<
  Selectable<Database['derivation_key']>,
  'id' | 'network' | 'extended_public_key' | 'address_type' | 'next_index'
>;

function rangeOf(key: DerivationKeyRow, indices: { firstIndex: number; count: number }): DerivationRange {
  return {
    derivationKeyId: key.id,
    network: key.network,
    extendedPublicKey: key.extended_public_key,
    addressType: key.address_type as AddressType,
    ...indices,
  };
}
