import type { SearchInput, SearchResult } from '../port.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { PollDeps, PollResult } from './poll.ts';
import { rescanBlocks } from './rescan.ts';

/**
 * Polls, then rescans the block of the transaction, found by its receipt or else by the given
 * height: nodes may index only the transactions of their newest blocks.
 */
export async function searchTransaction(
  deps: PollDeps,
  memory: EvmMemory,
  input: SearchInput,
  poll: () => Promise<PollResult>,
): Promise<SearchResult> {
  await poll();
  const [receipt] = await deps.node.receipts([input.txid]);
  const height = receipt?.height ?? input.height ?? null;
  if (height === null) return { height, outputs: 0 };
  const { outputs } = await rescanBlocks(deps, memory, { fromHeight: height, toHeight: height }, poll);
  return { height, outputs };
}
