import { RetryableError } from '../../platform/errors.ts';
import type { BestChain } from './find-fork.ts';
import type { WatcherMemory } from './memory.ts';
import { nodeSyncing } from './node-syncing.ts';

/** A new watcher starts this many blocks below the tip, so that it can follow an early reorg. */
export const BEGIN_DEPTH_BLOCKS = 12;

/** Starts a new watcher `BEGIN_DEPTH_BLOCKS` below the tip of a node that is not behind. */
export async function beginScan(
  node: BestChain,
  memory: WatcherMemory,
  tipHeight: number,
  behind: string | null,
): Promise<void> {
  if (behind !== null) throw nodeSyncing(behind);
  await beginScanAt(node, memory, Math.max(0, tipHeight - BEGIN_DEPTH_BLOCKS));
}

/** Begins with an unscanned block, so that the first scanned one has a parent. */
export async function beginScanAt(node: BestChain, memory: WatcherMemory, height: number): Promise<void> {
  const [blockHash] = await node.blockHashes([height]);
  if (!blockHash)
    throw new RetryableError('TIP_MOVED', `block ${height} left the best chain while scanning started there`);
  memory.chain.append({ height, blockHash, outputs: [] });
  memory.savedHeight = height - 1;
}
