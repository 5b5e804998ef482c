import type { TrackedOutput } from '../port.ts';
import type { EvmNode, EvmTransaction } from './evm-node.ts';
import { spendOf } from './matches.ts';
import { outputKind } from './output-id.ts';

/** Where the outputs are that no block of the best chain holds. */
export interface Whereabouts {
  /** Those whose transactions wait for a block, each with the same and what its transaction uses up. */
  readonly waiting: ReadonlyMap<TrackedOutput, TrackedOutput>;
  /** Transactions whose nonce was used up by another one. */
  readonly replacedTxids: ReadonlySet<string>;
}

/**
 * Asks the node about outputs that no block up to `endHeight` holds. A transaction that waits counts as long as it would still
 * pay; a waiting token transfer has no log yet, so it is believed until it is mined. Null when one of the
 * transactions is in a later block: the chain has grown, and whether it still pays is told there.
 */
export async function whereaboutsOf(
  node: EvmNode,
  missing: readonly TrackedOutput[],
  endHeight: number,
): Promise<Whereabouts | null> {
  const txids = [...new Set(missing.flatMap(({ txid }) => (txid === null ? [] : [txid])))];
  const found = txids.length === 0 ? [] : await node.transactions(txids);
  const transactions = new Map<string, EvmTransaction>();
  for (const transaction of found) if (transaction !== null) transactions.set(transaction.txid, transaction);
  const mined = [...transactions.values()].filter(({ blockHash }) => blockHash !== null).map(({ txid }) => txid);
  const receipts = mined.length === 0 ? [] : await node.receipts(mined);
  if (receipts.some((receipt) => receipt === null || receipt.height > endHeight)) return null;
  const waiting = new Map<TrackedOutput, TrackedOutput>();
  for (const output of missing) {
    const transaction = output.txid === null ? undefined : transactions.get(output.txid);
    const waits = transaction !== undefined && transaction.blockHash === null && mayPay(transaction, output);
    if (waits) waiting.set(output, { ...output, spends: [spendOf(transaction)] });
  }
  const lost = missing.filter(({ txid }) => txid !== null && !transactions.has(txid));
  return { waiting, replacedTxids: await replacedAmong(node, lost) };
}

// Helpers

function mayPay({ to, valueWei }: EvmTransaction, { outputId, watchKey, amountBaseUnits }: TrackedOutput): boolean {
  if (outputKind(outputId).kind !== 'native') return true;
  return to === watchKey && valueWei === amountBaseUnits;
}

/** The nonces of their senders have moved on, and it was not by these transactions. */
async function replacedAmong(node: EvmNode, lost: readonly TrackedOutput[]): Promise<Set<string>> {
  const spends = lost.flatMap(({ txid, spends: [spend] }) => {
    const [sender, nonce] = spend?.split(':') ?? [];
    return txid === null || sender === undefined || nonce === undefined ? [] : [{ txid, sender, nonce: Number(nonce) }];
  });
  const senders = [...new Set(spends.map(({ sender }) => sender))];
  const counts = senders.length === 0 ? [] : await node.nonces(senders);
  const sent = new Map(senders.map((sender, index) => [sender, counts[index] ?? 0]));
  return new Set(spends.filter(({ sender, nonce }) => (sent.get(sender) ?? 0) > nonce).map(({ txid }) => txid));
}
