import type { WatcherStore } from '../port.ts';
import { loadMemory, STORED_BLOCKS, type WatcherMemory } from '../sync/memory.ts';
import type { Finding } from '../sync/reporter.ts';
import type { UtxoNode } from './node.ts';

/**
 * Replaces findings of outputs that are gone where a stored block of the best chain has them, below
 * those in memory. A chain that goes far back and returns leaves such outputs unsettled when a
 * failure comes in between: the list of unsettled outputs is saved before the cursor.
 */
export async function withoutRecordedBelow(
  { store, node }: { readonly store: WatcherStore; readonly node: Pick<UtxoNode, 'blockHashes'> },
  memory: WatcherMemory,
  gone: readonly Finding[],
): Promise<Finding[]> {
  if (gone.length === 0) return [];
  const { chain } = await loadMemory(store, STORED_BLOCKS);
  const oldestHeight = memory.chain.oldest()?.height ?? 0;
  const placed = gone.map((finding) => ({ finding, block: chain.find(finding.output.outputId)?.block ?? null }));
  const below = placed.flatMap(({ block }) => (block !== null && block.height < oldestHeight ? [block] : []));
  const hashes = below.length === 0 ? [] : await node.blockHashes(below.map(({ height }) => height));
  const canonical = new Set(below.filter(({ blockHash }, index) => hashes[index] === blockHash));
  return placed.map(({ finding, block }) => {
    if (block === null || !canonical.has(block)) return finding;
    const { height, blockHash } = block;
    return { ...finding, status: { kind: 'block', height, blockHash } };
  });
}
