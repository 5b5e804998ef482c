import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { AddressType } from '../address-formats.ts';
import { type AddressRow, type DerivationRange, deriveRows, insertAddresses } from './derived-rows.ts';

/** Derives a range, in this thread or in a worker thread. */
export type Derive = (range: DerivationRange) => Promise<AddressRow[]>;

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

/** Derives all `count` in memory: callers pass the need of one request, or one batch. */
export async function deriveMore(trx: Transaction<Database>, keyId: string, count: number): Promise<AddressRow[]> {
  const key = await reserveIndices(trx, keyId, count);
  const rows = deriveOrReject(rangeOf(key, { firstIndex: key.next_index - count, count }));
  await insertAddresses(trx, rows);
  return rows;
}

/** Keys are validated when stored, so a key without addresses has been corrupted since. */
export function deriveOrReject(range: DerivationRange): AddressRow[] {
  try {
    return deriveRows(range);
  } catch (cause) {
    const message = `No address can be derived from the stored extended key ${range.derivationKeyId}; restore its row from a backup`;
    throw new TerminalError('ADDRESS_GENERATION_FAILED', message, { cause });
  }
}

// Helpers

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
