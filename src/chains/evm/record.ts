import type { ChainMemory } from '../following/chain-memory.ts';
import { loadMemory } from '../following/memory.ts';
import type { WatcherStore } from '../port.ts';
import type { EvmMemory } from './evm-memory.ts';

/** More blocks than stores keep. */
export const STORED_BLOCKS = 1_000_000;

/**
 * The block that an output is recorded in, in memory or in the store: its hash; null when the block at that height is recorded
 * without the output; undefined when it is older than every recorded one. The store is read when first needed.
 */
export type RecordOf = (outputId: string, height: number) => Promise<string | null | undefined>;

export function createRecord(store: WatcherStore, memory: EvmMemory): RecordOf {
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
