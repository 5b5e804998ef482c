import type { Cursor } from '../../port.ts';
import type { EvmMemory } from '../evm-memory.ts';
import type { EvmBlock, EvmNode, EvmReceipt, TokenTransfer } from '../node/evm-node.ts';
import { searchMissingLogs } from './missing-logs.ts';
import { outputKind } from './output-id.ts';

/** A batch of new blocks, and the token transfers in them and in the newest blocks in memory. */
export interface BlockBatch {
  /** The tip in memory, which the blocks extend. */
  readonly start: Cursor;
  /** New blocks, each linked to its parent; none when the tip is the head. */
  readonly blocks: readonly EvmBlock[];
  readonly end: Cursor;
  /** Transfers by height, all with the hash of the block at that height, in log order. */
  readonly transfers: ReadonlyMap<number, readonly TokenTransfer[]>;
  /** Of the transactions of unsettled token and internal payments; those that the node has. */
  readonly receipts: readonly EvmReceipt[];
}

/**
 * Blocks in memory whose logs are requested again in each poll. Providers use many machines, and
 * one that indexes logs after blocks omits the newest logs without an error.
 */
export const OVERLAP_BLOCKS = 6;
/** The same while a balance has shown for a short time that a log is missing. */
export const WIDE_OVERLAP_BLOCKS = 100;

/** Which logs of blocks in memory to request again. */
export interface LogRequests {
  readonly overlapBlocks: number;
  /** Addresses whose logs are missing; their logs are requested for all blocks in memory. */
  readonly searched: readonly string[];
}

/**
 * Reads up to a height. Null when the branch changed, or a receipt is missing that must be there.
 * Changes nothing. Throws `LeftChainError`.
 */
export async function readBatch(
  node: EvmNode,
  memory: EvmMemory,
  toHeight: number,
  { overlapBlocks, searched }: LogRequests,
): Promise<BlockBatch | null> {
  const start = memory.chain.tip();
  const oldest = memory.chain.oldest();
  if (start === null || oldest === null || toHeight < start.height) return null;
  const blocks = await readBlocks(node, start, toHeight);
  if (blocks === null) return null;
  const hashes = new Map(blocks.map((block) => [block.height, block.hash]));
  const hashAt = (height: number) => hashes.get(height) ?? memory.chain.at(height)?.blockHash ?? null;
  // The oldest block in memory may be the one the watcher began at, which was never scanned.
  const fromHeight = Math.max(oldest.height + 1, start.height + 1 - overlapBlocks);
  const last = blocks.at(-1);
  const end = last === undefined ? start : { height: last.height, blockHash: last.hash };
  const listed = fromHeight <= toHeight ? await node.tokenTransfers({ fromHeight, end }) : [];
  if (listed.some((transfer) => hashAt(transfer.height) !== transfer.blockHash)) return null;
  // The overlap has the newest blocks, and the second endpoint may not have them yet.
  const searchedUpTo = Math.min(start.height, end.height - OVERLAP_BLOCKS);
  const found = await searchMissingLogs(node, memory, searched, memory.chain.at(searchedUpTo));
  const receipts = await receiptsOfUnsettled(node, memory, blocks);
  if (receipts === null) return null;
  const fromReceipts = receipts
    .flatMap(({ succeeded, tokenTransfers }) => (succeeded ? tokenTransfers : []))
    .filter((transfer) => transfer.height > oldest.height && hashAt(transfer.height) === transfer.blockHash);
  return {
    start: { height: start.height, blockHash: start.blockHash },
    blocks,
    end,
    transfers: byHeight([...listed, ...found, ...fromReceipts]),
    receipts,
  };
}

/** Whether a block is in memory or in this batch, so that its outputs are followed. */
export function isFollowed(memory: EvmMemory, batch: BlockBatch, { height, blockHash }: Cursor): boolean {
  const hash = memory.chain.at(height)?.blockHash ?? batch.blocks.find((block) => block.height === height)?.hash;
  return hash === blockHash;
}

/** The receipts of a batch that are of blocks whose outputs are followed. */
export function followedReceipts(memory: EvmMemory, batch: BlockBatch): EvmReceipt[] {
  return batch.receipts.filter((receipt) => isFollowed(memory, batch, receipt));
}

// Helpers

async function readBlocks(node: EvmNode, start: Cursor, toHeight: number): Promise<EvmBlock[] | null> {
  const heights = Array.from({ length: toHeight - start.height }, (_, index) => start.height + 1 + index);
  const read = heights.length === 0 ? [] : await node.blocks(heights);
  const blocks: EvmBlock[] = [];
  let parentHash = start.blockHash;
  for (const [index, height] of heights.entries()) {
    const block = read[index];
    if (!block || block.height !== height || block.parentHash !== parentHash) return null;
    blocks.push(block);
    parentHash = block.hash;
  }
  return blocks;
}

/**
 * Receipts of token and internal payments whose block was undone, also of internal ones that were
 * reported as gone. The log of a token may be late in the new block too, and until it arrives the
 * payment must not be reported as gone. Null when a receipt is late as well: once its block is in
 * memory, nothing would show that the transaction is in it.
 */
async function receiptsOfUnsettled(
  node: EvmNode,
  memory: EvmMemory,
  blocks: readonly EvmBlock[],
): Promise<EvmReceipt[] | null> {
  const txids = new Set<string>();
  for (const { output } of [...memory.unsettled.values(), ...memory.reorged.values()]) {
    const { kind } = outputKind(output.outputId);
    if (output.txid !== null && (kind === 'token' || kind === 'internal')) txids.add(output.txid);
  }
  const receipts = txids.size === 0 ? [] : await node.receipts([...txids]);
  const receiptBlocks = new Map([...txids].map((txid, index) => [txid, receipts[index]?.blockHash]));
  const isLate = blocks.some(({ hash, transactions }) =>
    transactions.some(({ txid }) => txids.has(txid) && receiptBlocks.get(txid) !== hash),
  );
  return isLate ? null : receipts.filter((receipt) => receipt !== null);
}

function byHeight(transfers: readonly TokenTransfer[]): Map<number, TokenTransfer[]> {
  const byHeight = new Map<number, Map<number, TokenTransfer>>();
  for (const transfer of transfers) {
    const byLogIndex = byHeight.get(transfer.height) ?? new Map<number, TokenTransfer>();
    byHeight.set(transfer.height, byLogIndex.set(transfer.logIndex, transfer));
  }
  return new Map(
    [...byHeight].map(([height, byLogIndex]) => [
      height,
      [...byLogIndex.values()].sort((a, b) => a.logIndex - b.logIndex),
    ]),
  );
}
