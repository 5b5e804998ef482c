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
 * Asks the node about outputs that no block up to `endHeight` holds. A transaction that waits counts as
 * long as it would still pay: not when its nonce was used by then, however long a mempool goes on listing
 * it. A waiting token transfer has no log yet, so it is believed until it is mined. Null when one of the
 * transactions is in a later block: the chain has grown, and whether it still pays is reported there.
 */
export async function whereaboutsOf(
  node: EvmNode,
  missing: readonly TrackedOutput[],
  endHeight: number,
): Promise<Whereabouts | null> {
  const { laterTxids, ...whereabouts } = await locate(node, missing, endHeight);
  return laterTxids.size > 0 ? null : whereabouts;
}

/** What became of transactions up to a height. */
export interface Fates {
  /** They wait for a block, or are in one above the height. */
  readonly yetToPayTxids: ReadonlySet<string>;
  /** The height of the block in which they succeeded. */
  readonly minedAt: ReadonlyMap<string, number>;
  /** Transactions whose nonce was used up by another one. */
  readonly replacedTxids: ReadonlySet<string>;
}

export async function fatesOf(node: EvmNode, outputs: readonly TrackedOutput[], endHeight: number): Promise<Fates> {
  const { waiting, laterTxids, minedAt, replacedTxids } = await locate(node, outputs, endHeight);
  const yetToPayTxids = new Set([...laterTxids, ...[...waiting.keys()].flatMap(({ txid }) => txid ?? [])]);
  return { yetToPayTxids, minedAt, replacedTxids };
}

// Helpers

interface Located extends Whereabouts {
  /** Transactions in blocks above the height asked about. */
  readonly laterTxids: ReadonlySet<string>;
  /** Those in blocks up to that height that succeeded. */
  readonly minedAt: ReadonlyMap<string, number>;
}

async function locate(node: EvmNode, outputs: readonly TrackedOutput[], endHeight: number): Promise<Located> {
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
  for (const [index, txid] of [...mined].entries()) {
    const receipt = receipts[index];
    // Without a receipt it has left its block since it was asked for.
    if (!receipt || receipt.height > endHeight) laterTxids.add(txid);
    else if (receipt.succeeded) minedAt.set(txid, receipt.height);
  }
  const unmined = outputs.flatMap((output) => {
    if (output.txid === null || mined.has(output.txid)) return [];
    const transaction = transactions.get(output.txid);
    const spends = transaction === undefined ? output.spends : [spendOf(transaction)];
    return [{ output, transaction, txid: output.txid, spends }];
  });
  const replacedTxids = await replacedAmong(node, unmined, endHeight);
  const waiting = new Map<TrackedOutput, TrackedOutput>();
  for (const { output, transaction, txid, spends } of unmined) {
    const waits = transaction !== undefined && mayPay(transaction, output) && !replacedTxids.has(txid);
    if (waits) waiting.set(output, { ...output, spends });
  }
  return { waiting, replacedTxids, laterTxids, minedAt };
}

interface Unmined {
  readonly txid: string;
  readonly spends: readonly string[];
}

function mayPay({ to, valueWei }: EvmTransaction, { outputId, watchKey, amountBaseUnits }: TrackedOutput): boolean {
  if (outputKind(outputId).kind !== 'native') return true;
  return to === watchKey && valueWei === amountBaseUnits;
}

/**
 * The blocks up to a height have used the nonces of their senders, and not for these transactions. Not
 * asked of the tip: there it may be one of these that was mined a moment ago.
 */
async function replacedAmong(node: EvmNode, unmined: readonly Unmined[], endHeight: number): Promise<Set<string>> {
  const spends = unmined.flatMap(({ txid, spends: [spend] }) => {
    const [sender, nonce] = spend?.split(':') ?? [];
    return sender === undefined || nonce === undefined ? [] : [{ txid, sender, nonce: Number(nonce) }];
  });
  const senders = [...new Set(spends.map(({ sender }) => sender))];
  const counts = senders.length === 0 ? [] : await node.nonces(senders, endHeight);
  const sent = new Map(senders.map((sender, index) => [sender, counts?.[index] ?? 0]));
  return new Set(spends.filter(({ sender, nonce }) => (sent.get(sender) ?? 0) > nonce).map(({ txid }) => txid));
}
