import type { ChainMemory } from './chain-memory.ts';

/** The part of a node that `findFork` needs. */
export interface BestChain {
  /** Hash of the best chain's block at each height; null above the tip. */
  blockHashes(heights: readonly number[]): Promise<(string | null)[]>;
}

/** Hashes compared in one request while walking back. */
const WALK_BLOCKS = 100;

/** Height of the newest remembered block in the node's best chain; null when none is. */
export async function findFork(chain: ChainMemory, node: BestChain, tipHeight: number): Promise<number | null> {
  const oldest = chain.oldest();
  const tip = chain.tip();
  if (oldest === null || tip === null) return null;
  let top = Math.min(tip.height, tipHeight);
  let width = 1;
  while (top >= oldest.height) {
    const bottom = Math.max(oldest.height, top - width + 1);
    const heights = Array.from({ length: top - bottom + 1 }, (_, index) => top - index);
    const hashes = await node.blockHashes(heights);
    const match = heights.find((height, index) => chain.at(height)?.blockHash === hashes[index]);
    if (match !== undefined) return match;
    top = bottom - 1;
    width = WALK_BLOCKS;
  }
  return null;
}
