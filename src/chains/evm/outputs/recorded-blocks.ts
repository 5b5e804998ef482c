import type { WatcherStore } from '../../port.ts';
import type { ChainMemory } from '../../sync/chain-memory.ts';
import { loadMemory, STORED_BLOCKS } from '../../sync/memory.ts';
import type { EvmMemory } from '../evm-memory.ts';

/**
 * Hash of the block in which an output is recorded, in memory or in the store. Null when it is
 * recorded at another height, or is unsettled, or the block at that height is recorded without it;
 * undefined when the height is below every recorded block. The store is read at the first use.
 */
export type FindRecordedBlock = (outputId: string, height: number) => Promise<string | null | undefined>;

export function createRecordedBlockFinder(store: WatcherStore, memory: EvmMemory): FindRecordedBlock {
  let stored: ChainMemory | null = null;
  return async (outputId, height) => {
    const remembered = memory.chain.find(outputId);
    if (remembered !== null) return remembered.block.height === height ? remembered.block.blockHash : null;
    if (memory.chain.at(height) !== null) return null;
    stored ??= (await loadMemory(store, STORED_BLOCKS)).chain;
    if (height < (stored.oldest()?.height ?? 0)) return memory.unsettled.has(outputId) ? null : undefined;
    return stored.find(outputId)?.block.blockHash ?? null;
  };
}
