import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/platform/db/index.ts';

/**
 * Inserts free addresses of a wallet's key until `count` are free. They are invented: a
 * service derives them in a separate thread ahead of demand, which `bench:derive` measures.
 */
export async function stockAddresses(db: Kysely<Database>, derivationKeyId: string, count: number): Promise<void> {
  await sql`
    with key as (
      select id, network, next_index, ${count} - (
        select count(*) from free_address where derivation_key_id = ${derivationKeyId}
      ) as missing
      from derivation_key where id = ${derivationKeyId}
    ), stocked as (
      insert into address (network, address, watch_key, derivation_key_id, derivation_index)
      select network, 'bench1q' || md5(index::text), md5(index::text), id, index
      from key cross join lateral generate_series(next_index, next_index + missing - 1) as index
      returning derivation_key_id, derivation_index, network
    ), free as (
      insert into free_address (derivation_key_id, awaits_vetting, derivation_index, network)
      select derivation_key_id, false, derivation_index, network from stocked
    )
    update derivation_key set next_index = derivation_key.next_index + greatest(0, key.missing)
    from key where derivation_key.id = key.id`.execute(db);
}
