import type { SearchResult } from '../port.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { PollDeps, PollResult } from './poll.ts';
import { rescanBlocks } from './rescan.ts';

/**
 * Reads the block of a transaction again. A transaction without a receipt is in no block of the
 * best chain: then it polls.
 */
export async function searchTransaction(
  deps: PollDeps,
  memory: EvmMemory,
  txid: string,
  poll: () => Promise<PollResult>,
): Promise<SearchResult> {
  await poll();
  const [receipt] = await deps.node.receipts([txid]);
  if (!receipt) return { height: null, outputs: 0 };
  const { height } = receipt;
  const { outputs } = await rescanBlocks(deps, memory, { fromHeight: height, toHeight: height }, poll);
  return { height, outputs };
}
