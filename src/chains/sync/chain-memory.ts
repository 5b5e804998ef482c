import type { AccountChange, ScannedBlock, TrackedOutput } from '../port.ts';

/**
 * The newest blocks of the scanned branch, oldest first and without gaps, with the outputs found in
 * them. Bounded: older blocks are disconnected by reading them from the node (see
 * `utxo/deep-fork.ts`).
 */
export interface ChainMemory {
  tip(): ScannedBlock | null;
  oldest(): ScannedBlock | null;
  at(height: number): ScannedBlock | null;
  /** Blocks above a height, oldest first. */
  above(height: number): ScannedBlock[];
  /** The remembered block that contains an output, or null. */
  find(outputId: string): { readonly block: ScannedBlock; readonly output: TrackedOutput } | null;
  append(block: ScannedBlock): void;
  /**
   * Adds outputs that were missed when the block was scanned, because their keys were not watched
   * yet or the node did not report them. Replaces outputs with the same ids.
   */
  adopt(height: number, outputs: readonly TrackedOutput[]): void;
  addFlows(height: number, changes: readonly AccountChange[]): void;
  remove(outputId: string): void;
  /** Removes the blocks above a height and returns them. */
  disconnect(height: number): ScannedBlock[];
  /** Removes the oldest blocks beyond `limit` and returns them. */
  prune(limit: number): ScannedBlock[];
}

export function createChainMemory(oldestFirst: readonly ScannedBlock[]): ChainMemory {
  const blocks: ScannedBlock[] = [];
  /** Index by output id: a block may hold thousands of outputs, each looked up separately. */
  const locations = new Map<string, { readonly height: number; readonly output: TrackedOutput }>();

  function at(height: number): ScannedBlock | null {
    const first = blocks[0];
    return first === undefined ? null : (blocks[height - first.height] ?? null);
  }

  function append(block: ScannedBlock): void {
    blocks.push(block);
    for (const output of block.outputs) locations.set(output.outputId, { height: block.height, output });
  }

  function forget(removed: readonly ScannedBlock[]): void {
    for (const block of removed) {
      for (const { outputId } of block.outputs) {
        if (locations.get(outputId)?.height === block.height) locations.delete(outputId);
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
      const location = locations.get(outputId);
      const block = location === undefined ? null : at(location.height);
      return location === undefined || block === null ? null : { block, output: location.output };
    },
    adopt(height, outputs) {
      const block = at(height);
      if (block === null) return;
      const adopted = new Map(outputs.map((output) => [output.outputId, output]));
      const others = block.outputs.filter(({ outputId }) => !adopted.has(outputId));
      blocks[blocks.indexOf(block)] = { ...block, outputs: [...others, ...adopted.values()] };
      for (const [outputId, output] of adopted) locations.set(outputId, { height, output });
    },
    addFlows(height, changes) {
      const block = at(height);
      if (block === null || changes.length === 0) return;
      blocks[blocks.indexOf(block)] = { ...block, flows: [...(block.flows ?? []), ...changes] };
    },
    remove(outputId) {
      const location = locations.get(outputId);
      const block = location === undefined ? null : at(location.height);
      if (block === null) return;
      const outputs = block.outputs.filter((output) => output.outputId !== outputId);
      blocks[blocks.indexOf(block)] = { ...block, outputs };
      locations.delete(outputId);
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
