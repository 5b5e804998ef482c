import { sql, type Transaction } from 'kysely';
import { ASSETS, CRYPTO_SYMBOLS } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { DUE_EVEN_IF_RELEASED } from './due-accounts.ts';

/** A network whose blocks are scanned again from here on. */
export interface RewoundNetwork {
  readonly network: string;
  /** The last block that counts as scanned. */
  readonly height: number;
}

const TOKENS = CRYPTO_SYMBOLS.filter((symbol) => ASSETS[symbol].type === 'token');

/**
 * Makes every watcher rescan its newest blocks, to find observations that the bus had not
 * delivered; known observations change nothing, and outputs that are no longer there are reported
 * as gone. Windows and deadlines wait until it is done. Only while no watcher runs; goes back at
 * most `blocks`, and no further than blocks are kept.
 */
export async function rewindWatchers(
  trx: Transaction<Database>,
  { blocks }: { readonly blocks: number },
): Promise<readonly RewoundNetwork[]> {
  const { rows } = await sql<RewoundNetwork>`
    update chain_cursor set height = oldest.height, block_hash = oldest.block_hash,
      balances_height = case when balances_height = chain_cursor.height then oldest.height else balances_height end
    from (
      select distinct on (chain_block.network) chain_block.network, chain_block.height, chain_block.block_hash
      from chain_block join chain_cursor using (network)
      where chain_block.height >= chain_cursor.height - ${blocks}::int8
      order by chain_block.network, chain_block.height
    ) as oldest
    where oldest.network = chain_cursor.network
    returning chain_cursor.network, chain_cursor.height`.execute(trx);
  await sql`
    update account_balance set expected_base_units = expected_base_units - undone.base_units,
      due_at = ${DUE_EVEN_IF_RELEASED}
    from (
      select chain_block.network, flow ->> 0 as watch_key, flow ->> 1 as asset, sum((flow ->> 2)::numeric) as base_units
      from chain_block join chain_cursor using (network)
      cross join lateral jsonb_array_elements(coalesce(chain_block.flows, '[]')) as flow
      where chain_block.height > chain_cursor.height
      group by 1, 2, 3
    ) as undone
    where account_balance.network = undone.network and account_balance.watch_key = undone.watch_key
      and account_balance.asset = undone.asset`.execute(trx);
  // Stored blocks do not record token transfers, so these balances are read from the chain again.
  await sql`
    delete from account_balance using chain_cursor
    where account_balance.network = chain_cursor.network and account_balance.asset = any(${TOKENS}::text[])`.execute(
    trx,
  );
  // Outputs reported in these blocks are unsettled: found again, or reported as gone. Coins that
  // only a balance shows are reported as gone until their account is compared, which is due now.
  await sql`
    insert into unsettled_output (network, output_id, output)
    select chain_block.network, output ->> 'outputId', output
    from chain_block join chain_cursor using (network)
    cross join lateral jsonb_array_elements(chain_block.outputs) as output
    where chain_block.height > chain_cursor.height
    on conflict do nothing`.execute(trx);
  await sql`
    delete from chain_block using chain_cursor
    where chain_block.network = chain_cursor.network and chain_block.height > chain_cursor.height`.execute(trx);
  await sql`delete from watermark where gate in (select network from chain_cursor)`.execute(trx);
  return rows.toSorted((one, other) => (one.network < other.network ? -1 : 1));
}
