import type { ScannedBlock, TrackedOutput } from '../port.ts';

/**
 * The newest blocks of the branch the watcher has scanned, oldest first and without gaps, and what was found in
 * them. Bounded: what is older is undone with the node's help (see `reorg.ts`).
 */
export interface ChainMemory {
  tip(): ScannedBlock | null;
  oldest(): ScannedBlock | null;
  at(height: number): ScannedBlock | null;
  /** Blocks above a height, oldest first. */
  above(height: number): ScannedBlock[];
  /** Where an output is, if it is in a remembered block. */
  find(outputId: string): { readonly block: ScannedBlock; readonly output: TrackedOutput } | null;
  append(block: ScannedBlock): void;
  /**
   * Adds an output to a remembered block that was scanned without it, because nobody watched its key then or because the
   * node did not tell of it. Replaces what the block held under the same id.
   */
  adopt(height: number, output: TrackedOutput): void;
  /** Takes an output out of its remembered block. */
  remove(outputId: string): void;
  /** Forgets the blocks above a height and returns them. */
  disconnect(height: number): ScannedBlock[];
  /** Forgets the oldest blocks beyond `limit` and returns them. */
  prune(limit: number): ScannedBlock[];
}

export function createChainMemory(oldestFirst: readonly ScannedBlock[]): ChainMemory {
  const blocks: ScannedBlock[] = [];
  const heights = new Map<string, number>();

  function at(height: number): ScannedBlock | null {
    const first = blocks[0];
    return first === undefined ? null : (blocks[height - first.height] ?? null);
  }

  function append(block: ScannedBlock): void {
    blocks.push(block);
    for (const output of block.outputs) heights.set(output.outputId, block.height);
  }

  function forget(removed: readonly ScannedBlock[]): void {
    for (const block of removed) {
      for (const output of block.outputs) {
        if (heights.get(output.outputId) === block.height) heights.delete(output.outputId);
      }
    }
  }

  for (const block of oldestFirst) append(block);

  return {
    at,
    append,
    tip: () => blocks.at(-1) ?? null,
    oldest: () => blocks[0] ?? null,
    above: (height) => blocks.filter((block) => block.height > height),
    find(outputId) {
      const height = heights.get(outputId);
      const block = height === undefined ? null : at(height);
      const output = block?.outputs.find((candidate) => candidate.outputId === outputId);
      return block === null || output === undefined ? null : { block, output };
    },
    adopt(height, output) {
      const block = at(height);
      if (block === null) return;
      const index = blocks.indexOf(block);
      const others = block.outputs.filter(({ outputId }) => outputId !== output.outputId);
      blocks[index] = { ...block, outputs: [...others, output] };
      heights.set(output.outputId, height);
    },
    remove(outputId) {
      const height = heights.get(outputId);
      const block = height === undefined ? null : at(height);
      if (block === null) return;
      const outputs = block.outputs.filter((output) => output.outputId !== outputId);
      blocks[blocks.indexOf(block)] = { ...block, outputs };
      heights.delete(outputId);
    },
    disconnect(height) {
      const first = blocks.findIndex((block) => block.height > height);
      const removed = first === -1 ? [] : blocks.splice(first);
      forget(removed);
      return removed;
    },
    prune(limit) {
      const removed = blocks.splice(0, Math.max(0, blocks.length - limit));
      forget(removed);
      return removed;
    },
  };
}
