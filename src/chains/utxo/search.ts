import { RetryableError, TerminalError } from '../../platform/errors.ts';
import type { SearchInput, SearchResult } from '../port.ts';
import { RpcError } from '../rpc/rpc-call.ts';
import type { WatcherMemory } from '../sync/memory.ts';
import type { UtxoNode } from './node.ts';
import type { PollDeps, PollResult } from './poll.ts';
import { rescanBlocks } from './rescan.ts';

/**
 * Reads the block of a transaction again, found by the node's `txindex`, by its unspent outputs, or
 * else by the given height. Otherwise polls, which finds it in the mempool.
 */
export async function searchTransaction(
  deps: PollDeps,
  memory: WatcherMemory,
  input: SearchInput,
  poll: () => Promise<PollResult>,
): Promise<SearchResult> {
  const height = (await findHeight(deps.node, input.txid)) ?? input.height ?? null;
  if (height === null) {
    await poll();
    return { height, outputs: 0 };
  }
  const { outputs } = await rescanBlocks(deps, memory, { fromHeight: height, toHeight: height }, poll);
  return { height, outputs };
}

// Helpers

async function findHeight(node: UtxoNode, txid: string): Promise<number | null> {
  const [blockHash] = await node.indexedBlockHashes([txid]);
  if (typeof blockHash === 'string') {
    const [height] = await node.heightsOf([blockHash]);
    return height ?? null;
  }
  try {
    return await node.heightOfUnspent(txid);
  } catch (error) {
    if (error instanceof RetryableError || !(error instanceof RpcError || error instanceof TerminalError)) throw error;
    // The node lacks the method, or its `rpcwhitelist` excludes it.
    return null;
  }
}
