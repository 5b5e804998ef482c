import { type Kysely, sql } from 'kysely';
import { type Database, readByIndex } from '../../platform/db/index.ts';
import { merchantOfActor } from './predicate.ts';

/** Merchant ids by actor id, for those of these actors that belong to a merchant. One statement. */
export async function readMerchantsOf(
  db: Kysely<Database>,
  actors: readonly { readonly actorId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(actors.map(({ actorId }) => actorId))];
  if (ids.length === 0) return new Map();
  const rows = await readByIndex(db, async (trx) => {
    const found = await sql<{ id: string; merchant_id: string | null }>`
      select actor.id, ${merchantOfActor} as merchant_id from actor where actor.id = any(${ids}::text[])`.execute(trx);
    return found.rows;
  });
  return new Map(rows.flatMap(({ id, merchant_id: merchantId }) => (merchantId === null ? [] : [[id, merchantId]])));
}
