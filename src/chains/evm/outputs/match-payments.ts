import type { CryptoSymbol, UnixMs } from '../../../../machines/index.ts';
import type { TrackedOutput } from '../../port.ts';
import { type AccountFlows, accountKey } from '../balance-check/account-flows.ts';
import type { EvmMemory } from '../evm-memory.ts';
import type { EvmBlock, EvmNode, EvmReceipt, EvmTransaction, TokenTransfer } from '../node/evm-node.ts';
import { type Arrival, arrivalsIn, recipient } from './arrivals.ts';
import { tokenOutputId } from './output-id.ts';

/** What a scan matches against. Every check is a hash lookup, however many addresses are open. */
export interface MatchDeps {
  readonly node: EvmNode;
  readonly asset: CryptoSymbol;
  /** Whether payments to this address, and its outgoing transfers, matter. */
  readonly isWatched: (address: string) => boolean;
  /** Whether its native balance is compared at some time, so that its fees count. */
  readonly isCompared: (address: string) => boolean;
  /** Whether its native balance is compared in this poll. */
  readonly isOpen: (address: string) => boolean;
  readonly now: UnixMs;
}

/** Native payments in one block by transactions whose receipts show success. */
export function scanTransactions(
  deps: MatchDeps,
  block: EvmBlock,
  receipts: ReadonlyMap<string, EvmReceipt>,
  moved: AccountFlows,
  toOutput: ToOutput,
): TrackedOutput[] {
  const { asset } = deps;
  const outputs: TrackedOutput[] = [];
  for (const transaction of block.transactions) {
    const receipt = receipts.get(transaction.txid);
    if (receipt === undefined) continue;
    const { txid, from, to, valueWei } = transaction;
    moved.add({ watchKey: from, asset }, -receipt.feeWei);
    if (!receipt.succeeded || from === to || valueWei === 0n) continue;
    moved.add({ watchKey: from, asset }, -valueWei);
    if (to === null || !deps.isWatched(to)) continue;
    moved.add({ watchKey: to, asset }, valueWei);
    outputs.push(toOutput(block, transaction, { outputId: txid, watchKey: to, asset, amountBaseUnits: valueWei }));
  }
  return outputs;
}

/** Token payments in one block; null when a log names a transaction that is not in the block. */
export async function scanTransfers(
  deps: MatchDeps,
  block: EvmBlock,
  transfers: readonly TokenTransfer[],
  toOutput: ToOutput,
): Promise<TokenPayment[] | null> {
  const arrivals = await arrivalsIn(deps.node, block, transfers, deps.isWatched);
  if (arrivals.length === 0) return [];
  const transactions = new Map(block.transactions.map((transaction) => [transaction.txid, transaction]));
  const outputs: TokenPayment[] = [];
  for (const arrival of arrivals) {
    const { transfer, amountBaseUnits } = arrival;
    const transaction = transactions.get(transfer.txid);
    if (transaction === undefined) return null;
    if (amountBaseUnits === 0n) continue;
    const outputId = tokenOutputId(transfer.txid, transfer.logIndex);
    const amount = arrival.isProven ? { amountBaseUnits } : { amountBaseUnits, isUnproven: true as const };
    outputs.push({
      arrival,
      output: toOutput(block, transaction, { ...recipient(transfer), outputId, ...amount }),
    });
  }
  return outputs;
}

export interface TokenPayment {
  readonly output: TrackedOutput;
  readonly arrival: Arrival;
}

/** Completes an output with the data of its transaction and block. */
export type ToOutput = (
  block: EvmBlock,
  transaction: EvmTransaction,
  paid: Omit<TrackedOutput, 'txid' | 'firstSeenAt' | 'spends'>,
) => TrackedOutput;

/**
 * Coins keep their first-seen time when their transaction is mined again, even under another output
 * id or in an earlier block.
 */
export function createOutputs({ now }: MatchDeps, memory: EvmMemory): ToOutput {
  const earliest = new Map<string, UnixMs>();
  for (const { output } of memory.unsettled.values()) {
    if (output.txid === null) continue;
    const key = `${output.txid} ${accountKey(output)}`;
    earliest.set(key, Math.min(earliest.get(key) ?? output.firstSeenAt, output.firstSeenAt));
  }
  return (block, transaction, paid) => {
    // Validators may date a block slightly in the future; first-seen times never exceed now.
    const seenAt = Math.min(block.timeSeconds * 1000, now);
    return {
      ...paid,
      txid: transaction.txid,
      firstSeenAt: earliest.get(`${transaction.txid} ${accountKey(paid)}`) ?? seenAt,
      spends: [spendOf(transaction)],
    };
  };
}

/** Sender and nonce: only one transaction with the same pair can be mined. */
export function spendOf({ from, nonce }: { readonly from: string; readonly nonce: number }): string {
  return `${from}:${nonce}`;
}

/** Transfers to and from watched addresses. */
export function relevant({ isWatched }: MatchDeps, transfers: readonly TokenTransfer[] | undefined): TokenTransfer[] {
  return (transfers ?? []).filter((transfer) => isWatched(transfer.to) || isWatched(transfer.from));
}

/**
 * Receipts of transactions that may pay a watched address or were sent by a compared one. Null when
 * one is not in its block.
 */
export async function readReceipts(
  { node, isWatched, isCompared }: MatchDeps,
  blocks: readonly EvmBlock[],
): Promise<Map<string, EvmReceipt> | null> {
  const hashes = new Map<string, string>();
  for (const block of blocks) {
    for (const { txid, from, to, valueWei } of block.transactions) {
      const pays = to !== null && valueWei > 0n && isWatched(to);
      if (pays || isCompared(from)) hashes.set(txid, block.hash);
    }
  }
  const receipts = new Map<string, EvmReceipt>();
  const read = hashes.size === 0 ? [] : await node.receipts([...hashes.keys()]);
  for (const receipt of read) {
    if (receipt === null || receipt.blockHash !== hashes.get(receipt.txid)) return null;
    receipts.set(receipt.txid, receipt);
  }
  return receipts;
}
