import { sql, type Transaction } from 'kysely';
import type { Database } from '../../db/index.ts';

/** A network whose blocks are read again from here on. */
export interface RewoundNetwork {
  readonly network: string;
  /** The last block that counts as read. */
  readonly height: number;
}

/**
 * Has every watcher read its newest blocks again: what it had found and the bus had not handed on is found once more, and what is known
 * already changes nothing. Windows and deadlines wait until it has. Only while no watcher runs; goes back `blocks` at most, and
 * no further than blocks are kept.
 */
export async function rewindWatchers(
  trx: Transaction<Database>,
  { blocks }: { readonly blocks: number },
): Promise<readonly RewoundNetwork[]> {
  const { rows } = await sql<RewoundNetwork>`
    update chain_cursor set height = oldest.height, block_hash = oldest.block_hash
    from (
      select distinct on (chain_block.network) chain_block.network, chain_block.height, chain_block.block_hash
      from chain_block join chain_cursor using (network)
      where chain_block.height >= chain_cursor.height - ${blocks}::int8
      order by chain_block.network, chain_block.height
    ) as oldest
    where oldest.network = chain_cursor.network
    returning chain_cursor.network, chain_cursor.height`.execute(trx);
  await sql`
    delete from chain_block using chain_cursor
    where chain_block.network = chain_cursor.network and chain_block.height > chain_cursor.height`.execute(trx);
  await sql`delete from watermark where gate in (select network from chain_cursor)`.execute(trx);
  return rows.toSorted((one, other) => (one.network < other.network ? -1 : 1));
}
