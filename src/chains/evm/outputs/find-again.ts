import type { TrackedOutput } from '../../port.ts';
import type { EvmMemory } from '../evm-memory.ts';
import type { EvmNode } from '../node/evm-node.ts';
import type { ToOutput } from './match-payments.ts';
import { outputKind } from './output-id.ts';
import { type BlockBatch, isFollowed } from './read-batch.ts';
import type { PlacedOutput } from './scan-batch.ts';
import { paidTo } from './traced-payments.ts';

/**
 * Looks for internal payments whose block was undone and whose account is no longer compared (for
 * example because the payment is completed): their transactions may be in another block, and no
 * balance comparison would find them. Where its trace is missing, a transaction that succeeded
 * again counts with its earlier amount: that does not prove that the coins are gone. Null when the
 * branch changed.
 */
export async function findInternalAgain(
  node: EvmNode,
  memory: EvmMemory,
  batch: BlockBatch,
  isBalanceChecked: (address: string) => boolean,
  toOutput: ToOutput,
): Promise<PlacedOutput[] | null> {
  const reorged = [...memory.unsettled.values()].map(({ output }) => output).filter((output) => isLost(memory, output));
  const unchecked = reorged.filter(({ watchKey }) => !isBalanceChecked(watchKey));
  const txids = new Set(unchecked.map(({ txid }) => txid));
  const found: PlacedOutput[] = [];
  for (const receipt of batch.receipts) {
    // A node may still have the receipt of a block that was undone.
    if (!txids.has(receipt.txid) || !receipt.succeeded || !isFollowed(memory, batch, receipt)) continue;
    const [block] = await node.blocks([receipt.height]);
    const transaction = block?.transactions.find(({ txid }) => txid === receipt.txid);
    if (!block || !transaction || block.hash !== receipt.blockHash) return null;
    const paid = unchecked.filter(({ txid }) => txid === receipt.txid);
    const traced = await node.internalTransfers(new Set(paid.map(({ watchKey }) => watchKey)), receipt);
    for (const { outputId, watchKey, asset, amountBaseUnits: before } of paid) {
      const payment = paidTo(watchKey, traced?.transfers ?? []).find(({ txid }) => txid === receipt.txid);
      if (payment === undefined && traced?.txids.has(receipt.txid)) continue;
      const amountBaseUnits = payment?.amountBaseUnits ?? before;
      const output = toOutput(block, transaction, { outputId, watchKey, asset, amountBaseUnits });
      found.push({ height: receipt.height, output });
    }
  }
  return found;
}

// Helpers

function isLost(memory: EvmMemory, { outputId }: TrackedOutput): boolean {
  return outputKind(outputId).kind === 'internal' && memory.chain.find(outputId) === null;
}
