import { sql, type Transaction } from 'kysely';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { groupBy } from '../../platform/group-by.ts';
import { deriveMore } from './derive-ahead.ts';

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

export interface AllocatedAddress {
  readonly address: string;
  readonly watchKey: string;
  readonly derivationIndex: number;
}

/**
 * Assigns each request the first free address of its key: vetted first, then lowest index. Returns
 * them in the order of the requests. Throws a `TerminalError` `ADDRESS_GENERATION_FAILED`.
 */
export async function allocateAddresses(
  trx: Transaction<Database>,
  requests: readonly AddressRequest[],
): Promise<AllocatedAddress[]> {
  const taken = await allocateFree(trx, requests);
  const missing = requests.filter(({ transactionId }) => !taken.has(transactionId));
  if (missing.length > 0) {
    for (const [keyId, group] of byKey(missing)) await deriveMore(trx, keyId, group.length);
    for (const [transactionId, address] of await allocateFree(trx, missing)) taken.set(transactionId, address);
  }
  return requests.map(({ transactionId }) => {
    const address = taken.get(transactionId);
    if (address !== undefined) return address;
    const message = 'No address could be derived from the wallet; nothing was created. Try again';
    throw new TerminalError('ADDRESS_GENERATION_FAILED', message);
  });
}

// Helpers

/** Requests by their key, in one order for all batches so that two cannot deadlock. */
function byKey(requests: readonly AddressRequest[]): [string, AddressRequest[]][] {
  return [...groupBy(requests, ({ derivationKeyId }) => derivationKeyId)].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Assigns free addresses, as many as there are, and returns them by transaction. Deleting the row
 * of a free address is what assigns it, so no address can serve two payments. Rows locked by other
 * transactions are skipped. The payments of one key are consecutive in `ids`, so that each finds
 * its own by its position.
 */
async function allocateFree(
  trx: Transaction<Database>,
  requests: readonly AddressRequest[],
): Promise<Map<string, AllocatedAddress>> {
  const groups = byKey(requests);
  const ids = groups.flatMap(([, group]) => group.map(({ transactionId }) => transactionId));
  let sum = 0;
  const requested = groups.map(([key_id, { length: count }]) => {
    sum += count;
    return { key_id, count, before: sum - count };
  });
  const { rows } = await sql<AllocatedAddress & { transactionId: string }>`
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
    update address set transaction_id = taken.transaction_id, taken_at = now(), taken_height = (
      select height from chain_cursor where chain_cursor.network = address.network
    ) from taken
    where address.derivation_key_id = taken.derivation_key_id
      and address.derivation_index = taken.derivation_index and address.taken_at is null
    returning address.transaction_id as "transactionId", address.address, address.watch_key as "watchKey",
      address.derivation_index as "derivationIndex"`.execute(trx);
  return new Map(rows.map(({ transactionId, ...address }) => [transactionId, address]));
}
