import type { RpcCall } from '../../../src/chains/index.ts';
import { RpcError } from '../../../src/chains/rpc/rpc-call.ts';
import { isRecord } from '../../../src/platform/is-record.ts';

/**
 * Differences between the nodes of the four coins that could affect a watcher. Taken from their
 * documentation and sources: Bitcoin Core 29, Litecoin Core 0.21, Dogecoin Core 1.14 (based on Core
 * 0.14), Dash Core 22.
 */

export const UTXO_COINS = ['BTC', 'LTC', 'DOGE', 'DASH'] as const;
export type UtxoCoin = (typeof UTXO_COINS)[number];

/** What Dash nodes report about InstantSend and ChainLocks. */
export interface LockKnowledge {
  readonly chainlock: boolean;
  /** The transaction itself has a lock (`instantlock_internal`). */
  readonly instantlock: boolean;
}

/** Throws this coin's error for calls that only other coins' nodes support. */
export function rejectForeignCalls(coin: UtxoCoin, { method, params }: RpcCall): void {
  if (coin !== 'DOGE') return;
  if (method === 'getblock' && params[1] !== undefined && typeof params[1] !== 'boolean') {
    throw new RpcError(method, -1, 'JSON value is not a boolean as expected');
  }
  if (method === 'getrawtransaction' && params.length > 2) {
    throw new RpcError(method, -1, 'getrawtransaction "txid" ( verbose )');
  }
}

/** Translates the result of another coin's node. `locksOf` is called for Dash only. */
export async function inDialect(
  coin: UtxoCoin,
  { method, params }: RpcCall,
  result: unknown,
  locksOf: (txid: string, blockHash: string | null) => Promise<LockKnowledge | null>,
): Promise<unknown> {
  if (!isRecord(result)) return result;
  if (method === 'getblockchaininfo') return coin === 'DOGE' ? without(result, 'initialblockdownload') : result;
  if (method === 'getmempoolinfo') return coin === 'DOGE' ? without(result, 'loaded') : result;
  if (coin !== 'DASH' || method !== 'getrawtransaction') return result;
  const blockHash = typeof result.blockhash === 'string' ? result.blockhash : null;
  const locks = await locksOf(String(params[0]), blockHash);
  return locks === null ? result : { ...result, ...lockFields(locks) };
}

/** `instantlock` is also true for every transaction of a block with a ChainLock. */
function lockFields({ chainlock, instantlock }: LockKnowledge) {
  return { instantlock: instantlock || chainlock, instantlock_internal: instantlock, chainlock };
}

function without(record: { readonly [field: string]: unknown }, field: string): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));
}
