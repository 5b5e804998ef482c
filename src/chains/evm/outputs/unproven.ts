import type { TrackedOutput } from '../../port.ts';
import { loadMemory, STORED_BLOCKS } from '../../sync/memory.ts';
import { accountKey } from '../balance-check/account-flows.ts';
import type { EvmMemory } from '../evm-memory.ts';
import type { EvmNode } from '../node/evm-node.ts';
import { unlessPruned } from '../rpc/rpc-rejections.ts';
import { outputKind } from './output-id.ts';
import type { OutputToProve, ProofDeps } from './proven-outputs.ts';

/** Why not finding an output proves nothing. */
export type Unproven = 'unread' | 'contradicted';

/** A token output whose token is not read here: no receipt or log shows it. */
export function isUnread(node: Pick<EvmNode, 'readsToken'>, { outputId, asset }: TrackedOutput): boolean {
  return outputKind(outputId).kind === 'token' && !node.readsToken(asset);
}

/**
 * The outputs whose absence proves nothing: their token is not read, or a block of the best chain
 * has them, so the response was from a machine that lags or lacks old receipts. Which block has an
 * output is recorded; without a record, the block at its reported height may have its transaction
 * although the node has no receipt of it.
 */
export async function findUnproven(
  { node, store }: ProofDeps,
  memory: EvmMemory,
  missing: readonly OutputToProve[],
  unknownTxids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Unproven>> {
  const unproven = new Map<string, Unproven>();
  if (missing.length === 0) return unproven;
  const stored = (await loadMemory(store, STORED_BLOCKS)).chain;
  for (const { output, reportedHeight = null } of missing) {
    const placed = memory.chain.find(output.outputId) ?? stored.find(output.outputId);
    const isContradicted = async () => {
      // Recorded blocks are ancestors of the tip, which the caller finds in the chain at the end.
      if (placed !== null) return isSame(placed.output, output);
      const txid = unknownTxid(output, unknownTxids);
      return txid !== null && reportedHeight !== null && mayBeAt(node, memory, reportedHeight, txid);
    };
    if (isUnread(node, output)) unproven.set(output.outputId, 'unread');
    else if (await isContradicted()) unproven.set(output.outputId, 'contradicted');
  }
  return unproven;
}

// Helpers

function isSame(recorded: TrackedOutput, output: TrackedOutput): boolean {
  return accountKey(recorded) === accountKey(output) && recorded.amountBaseUnits === output.amountBaseUnits;
}

/**
 * Null for a balance output: the block in its id decides, regardless of the transaction found for
 * it.
 */
function unknownTxid({ outputId, txid }: TrackedOutput, unknownTxids: ReadonlySet<string>): string | null {
  return txid !== null && unknownTxids.has(txid) && outputKind(outputId).kind !== 'balance' ? txid : null;
}

/** Whether the best chain has a transaction at a height; also true if the node lacks that block. */
async function mayBeAt(node: EvmNode, memory: EvmMemory, height: number, txid: string): Promise<boolean> {
  const blocks = await unlessPruned(node.blocks([height]));
  if (blocks === null) return true;
  const [block] = blocks;
  if (!block) return height <= (memory.chain.tip()?.height ?? -1);
  return block.transactions.some((transaction) => transaction.txid === txid);
}
