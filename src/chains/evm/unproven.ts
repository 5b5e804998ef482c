import { loadMemory, STORED_BLOCKS } from '../following/memory.ts';
import type { TrackedOutput } from '../port.ts';
import { accountKey } from './account-flows.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmNode } from './evm-node.ts';
import { outputKind } from './output-id.ts';
import type { PlaceDeps } from './places.ts';

/** Why not finding an output proves nothing. */
export type Unproven = 'unread' | 'contradicted';

/** A token output whose token is not read here: no receipt or log shows it. */
export function isUnread(node: Pick<EvmNode, 'readsToken'>, { outputId, asset }: TrackedOutput): boolean {
  return outputKind(outputId).kind === 'token' && !node.readsToken(asset);
}

/**
 * The outputs whose absence proves nothing: their token is not read, or a recorded block of the best
 * chain has them, so that the answer came from a machine that lags or lacks old receipts.
 */
export async function findUnproven(
  { node, store }: PlaceDeps,
  memory: EvmMemory,
  missing: readonly TrackedOutput[],
): Promise<ReadonlyMap<string, Unproven>> {
  const unproven = new Map<string, Unproven>();
  if (missing.length === 0) return unproven;
  const stored = (await loadMemory(store, STORED_BLOCKS)).chain;
  for (const output of missing) {
    const placed = memory.chain.find(output.outputId) ?? stored.find(output.outputId);
    if (isUnread(node, output)) unproven.set(output.outputId, 'unread');
    else if (placed !== null && isSame(placed.output, output)) {
      const [blockHash] = await node.blockHashes([placed.block.height]);
      if (blockHash === placed.block.blockHash) unproven.set(output.outputId, 'contradicted');
    }
  }
  return unproven;
}

// Helpers

function isSame(recorded: TrackedOutput, output: TrackedOutput): boolean {
  return accountKey(recorded) === accountKey(output) && recorded.amountBaseUnits === output.amountBaseUnits;
}
