import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../src/platform/db/index.ts';
import type { EthereumChain } from '../workload/ethereum-chain.ts';
import type { LitecoinChain } from '../workload/litecoin-chain.ts';
import type { ChaosPayment } from '../workload/payment.ts';
import type { FinalCoins } from './expected.ts';

/** Coins of each payment on its final chain, by transaction id. */
export type CoinsByPayment = ReadonlyMap<string, readonly FinalCoins[]>;

/** The node's best chain, block by block, and when the payers sent. Does not use the service. */
export async function coinsOnChain(chain: LitecoinChain, payments: readonly ChaosPayment[]): Promise<CoinsByPayment> {
  const owner = new Map(payments.map(({ address, id }) => [address, id]));
  const { outputs } = await chain.readBestChain(chain.startHeight);
  const coins = new Map<string, FinalCoins[]>();
  for (const { address, txid, litoshi } of outputs) {
    const id = owner.get(address);
    if (id === undefined) continue;
    const firstSeenAt = chain.sentAt.get(txid);
    if (firstSeenAt === undefined) throw new Error(`no payer of this run has sent ${txid}`);
    coins.set(id, [...(coins.get(id) ?? []), { litoshi, firstSeenAt }]);
  }
  return coins;
}

/** Transactions of the payers that are in the best chain of the Ethereum node. */
export async function coinsOnEthereum(
  ethereum: EthereumChain,
  payments: readonly ChaosPayment[],
): Promise<CoinsByPayment> {
  const final = await ethereum.finalCoins();
  const own = payments.filter(({ network }) => network === 'ethereum');
  return new Map(own.map(({ id, address }) => [id, final.get(address.toLowerCase()) ?? []]));
}

/**
 * The simulated network has no node: its chain consists of the recorded observations of each
 * payment. So this reads the observations (newest status and first sighting of each output), not
 * what the service derived from them.
 */
export async function coinsSimulated(db: Kysely<Database>, payments: readonly ChaosPayment[]): Promise<CoinsByPayment> {
  const ids = payments.map(({ id }) => id);
  const { rows } = await sql<{ actor_id: string; newest: string; litoshi: string; first_seen_at: number }>`
    select distinct on (actor_id, event->>'outputId') actor_id, event_type as newest,
      event->>'amountBaseUnits' as litoshi,
      first_value((event->>'firstSeenAt')::float8)
        over (partition by actor_id, event->>'outputId' order by (event->>'order')::float8) as first_seen_at
    from journal_entry
    where actor_id = any(${ids}) and event_type like 'chain.output%'
    order by actor_id, event->>'outputId', (event->>'order')::float8 desc`.execute(db);
  const coins = new Map<string, FinalCoins[]>();
  for (const row of rows) {
    if (row.newest === 'chain.output_dropped') continue;
    const known = coins.get(row.actor_id) ?? [];
    coins.set(row.actor_id, [...known, { litoshi: BigInt(row.litoshi), firstSeenAt: row.first_seen_at }]);
  }
  return coins;
}
