import { isDeepStrictEqual } from 'node:util';
import type { Cursor, TrackedOutput } from '../../port.ts';
import type { EvmNode, EvmTransaction } from '../node/evm-node.ts';
import { spendOf } from './match-payments.ts';
import { outputKind } from './output-id.ts';

/** Where outputs are that no block of the best chain contains. */
export interface Location {
  /** Outputs with pending transactions, mapped to the same with the `spends` of the transaction. */
  readonly waiting: ReadonlyMap<TrackedOutput, TrackedOutput>;
  /** Transactions whose nonce was used by another one. */
  readonly replacedTxids: ReadonlySet<string>;
  /**
   * Outputs that may be in a block: their transaction names one without a receipt, or it succeeded
   * and is such a transfer. Lagging machines and stale caches respond this way, so it proves
   * nothing.
   */
  readonly unclear: ReadonlySet<TrackedOutput>;
}

/**
 * Queries the node for outputs that no block up to `end` contains. A pending transaction counts
 * only if it can still pay: not if its nonce was used by then, even if a mempool still lists it. A
 * pending token transfer has no log yet, so it is trusted until it is mined. Null when one of the
 * transactions is in a later block: the chain has grown, and the next round reports it there.
 */
export async function locateOutputs(
  node: EvmNode,
  missing: readonly TrackedOutput[],
  end: Cursor,
): Promise<Location | null> {
  const { laterTxids, ...location } = await locate(node, missing, end);
  return laterTxids.size > 0 ? null : location;
}

/** What happened to transactions up to a block. */
export interface TransactionStatuses {
  /** Pending, in a block above the height, or in one without a receipt. */
  readonly yetToPayTxids: ReadonlySet<string>;
  /** Height of the block in which each of them succeeded. */
  readonly minedAt: ReadonlyMap<string, number>;
  /** Transactions whose nonce was used by another one. */
  readonly replacedTxids: ReadonlySet<string>;
}

export async function statusesOf(
  node: EvmNode,
  outputs: readonly TrackedOutput[],
  end: Cursor,
): Promise<TransactionStatuses> {
  const { waiting, laterTxids, unplacedTxids, minedAt, replacedTxids } = await locate(node, outputs, end);
  const yetToPayTxids = new Set([
    ...laterTxids,
    ...unplacedTxids,
    ...[...waiting.keys()].flatMap(({ txid }) => txid ?? []),
  ]);
  return { yetToPayTxids, minedAt, replacedTxids };
}

// Helpers

interface Located extends Location {
  /** Transactions in blocks above the requested height. */
  readonly laterTxids: ReadonlySet<string>;
  /** Transactions that name a block, without a receipt. */
  readonly unplacedTxids: ReadonlySet<string>;
  /** Those that succeeded in blocks up to that height. */
  readonly minedAt: ReadonlyMap<string, number>;
}

async function locate(node: EvmNode, outputs: readonly TrackedOutput[], end: Cursor): Promise<Located> {
  const txids = [...new Set(outputs.flatMap(({ txid }) => (txid === null ? [] : [txid])))];
  const found = txids.length === 0 ? [] : await node.transactions(txids);
  const transactions = new Map<string, EvmTransaction>();
  for (const transaction of found) if (transaction !== null) transactions.set(transaction.txid, transaction);
  const mined = new Set(
    [...transactions.values()].filter(({ blockHash }) => blockHash !== null).map(({ txid }) => txid),
  );
  const receipts = mined.size === 0 ? [] : await node.receipts([...mined]);
  const laterTxids = new Set<string>();
  const minedAt = new Map<string, number>();
  const unplacedTxids = new Set<string>();
  for (const [index, txid] of [...mined].entries()) {
    const receipt = receipts[index];
    if (!receipt) unplacedTxids.add(txid);
    else if (receipt.height > end.height) laterTxids.add(txid);
    else if (receipt.succeeded) minedAt.set(txid, receipt.height);
  }
  const unmined = outputs.flatMap((output) => {
    if (output.txid === null || mined.has(output.txid)) return [];
    const transaction = transactions.get(output.txid);
    const spends = transaction === undefined ? output.spends : [spendOf(transaction)];
    return [{ output, transaction, txid: output.txid, spends }];
  });
  const replacedTxids = await replacedAmong(node, unmined, end);
  const waiting = new Map<TrackedOutput, TrackedOutput>();
  for (const { output, transaction, txid, spends } of unmined) {
    const waits = transaction !== undefined && mayPay(transaction, output) && !replacedTxids.has(txid);
    // The same object where nothing changed, so that it is not saved again in each poll.
    if (waits) waiting.set(output, isDeepStrictEqual(spends, output.spends) ? output : { ...output, spends });
  }
  const isUnclear = (output: TrackedOutput) => {
    const { txid } = output;
    if (txid === null || unplacedTxids.has(txid)) return txid !== null;
    const transaction = minedAt.has(txid) ? transactions.get(txid) : undefined;
    return transaction !== undefined && isTransfer(output) && mayPay(transaction, output);
  };
  return { waiting, replacedTxids, laterTxids, unplacedTxids, minedAt, unclear: new Set(outputs.filter(isUnclear)) };
}

interface Unmined {
  readonly txid: string;
  readonly spends: readonly string[];
}

/** The one kind of output that is in a block whenever its transaction succeeds there. */
function isTransfer({ outputId }: Pick<TrackedOutput, 'outputId'>): boolean {
  return outputKind(outputId).kind === 'native';
}

function mayPay({ to, valueWei }: EvmTransaction, { outputId, watchKey, amountBaseUnits }: TrackedOutput): boolean {
  if (!isTransfer({ outputId })) return true;
  return to === watchKey && valueWei === amountBaseUnits;
}

/**
 * Transactions whose nonce was used by another one in a block up to `end`. Not queried at the
 * tip, where the nonce may belong to one of these transactions, mined a moment ago.
 */
async function replacedAmong(node: EvmNode, unmined: readonly Unmined[], end: Cursor): Promise<Set<string>> {
  const spends = unmined.flatMap(({ txid, spends: [spend] }) => {
    const [sender, nonce] = spend?.split(':') ?? [];
    return sender === undefined || nonce === undefined ? [] : [{ txid, sender, nonce: Number(nonce) }];
  });
  const senders = [...new Set(spends.map(({ sender }) => sender))];
  const counts = senders.length === 0 ? [] : await node.nonces(senders, end);
  const sent = new Map(senders.map((sender, index) => [sender, counts?.[index] ?? 0]));
  return new Set(spends.filter(({ sender, nonce }) => (sent.get(sender) ?? 0) > nonce).map(({ txid }) => txid));
}
