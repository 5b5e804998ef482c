import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { deriveMissing, deriveMore, deriveOrReject } from './derive-ahead.ts';

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
