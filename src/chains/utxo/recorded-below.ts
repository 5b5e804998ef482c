import type { WatcherStore } from '../port.ts';
import type { WatcherMemory } from '../sync/memory.ts';
import type { Finding } from '../sync/reporter.ts';
import type { UtxoNode } from './node.ts';

/**
 * Replaces findings of outputs that are gone where a stored block of the best chain has them, below
 * those in memory. A chain that goes far back and returns leaves such outputs unsettled when a
 * failure occurs in between: the list of unsettled outputs is saved before the cursor. One that
 * this process saw in the mempool first is in no stored block.
 */
export async function withoutRecordedBelow(
  { store, node }: { readonly store: WatcherStore; readonly node: Pick<UtxoNode, 'blockHashes'> },
  memory: WatcherMemory,
  gone: readonly Finding[],
): Promise<Finding[]> {
  const mayBeRecorded = gone.filter(({ output }) => {
    const known = memory.unsettled.get(output.outputId);
    return known?.wasLoaded === true || known?.wasReorged === true;
  });
  if (mayBeRecorded.length === 0) return [...gone];
  const ids = mayBeRecorded.map(({ output }) => output.outputId);
  const below = await store.findRecorded(ids, memory.chain.oldest()?.height ?? 0);
  const hashes = below.length === 0 ? [] : await node.blockHashes(below.map(({ height }) => height));
  const canonical = below.filter(({ blockHash }, index) => hashes[index] === blockHash);
  const byOutput = new Map(canonical.map((each) => [each.outputId, each]));
  return gone.map((finding) => {
    const recorded = byOutput.get(finding.output.outputId);
    if (recorded === undefined) return finding;
    const { height, blockHash } = recorded;
    return { ...finding, status: { kind: 'block', height, blockHash } };
  });
}
