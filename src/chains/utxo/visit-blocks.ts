import { BLOCKS_PER_REQUEST, type UtxoNode } from './node.ts';
import type { RawBlock } from './raw-block.ts';

export interface ReadBlock {
  readonly hash: string;
  readonly raw: RawBlock;
}

/**
 * Visits the best chain's blocks at these heights, holding at most `BLOCKS_PER_REQUEST` in memory;
 * passes null for a missing block.
 */
export async function visitBlocks(
  node: UtxoNode,
  heights: readonly number[],
  visit: (height: number, block: ReadBlock | null) => void,
): Promise<void> {
  for (let start = 0; start < heights.length; start += BLOCKS_PER_REQUEST) {
    const batch = heights.slice(start, start + BLOCKS_PER_REQUEST);
    const hashes = await node.blockHashes(batch);
    const known = hashes.filter((hash) => hash !== null);
    const blocks = await node.blocks(known);
    const byHash = new Map(known.map((hash, index) => [hash, blocks[index] ?? null]));
    for (const [index, height] of batch.entries()) {
      const hash = hashes[index] ?? null;
      const raw = hash === null ? null : (byHash.get(hash) ?? null);
      visit(height, hash === null || raw === null ? null : { hash, raw });
    }
  }
}
