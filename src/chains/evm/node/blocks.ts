import type { JsonRecord } from '../../../platform/is-record.ts';
import { asAddress, asCount, asHash, asList, asQuantity, asRecord } from '../rpc/read-response.ts';
import type { EvmBlock, EvmHead, EvmReceipt, EvmTransaction } from './evm-node.ts';
import { parseTransferLogs, type TokensByContract } from './parse-transfer-logs.ts';

/**
 * Parsers of blocks, transactions and receipts. They read only the fields we use, so fields added
 * by a network or a hard fork are ignored. All throw `RetryableError` `NODE_RESPONSE_UNUSABLE`.
 */

export function readHead(value: unknown): EvmHead {
  const block = asRecord(value);
  return { height: asCount(block.number), hash: asHash(block.hash), timeSeconds: asCount(block.timestamp) };
}

/** Parses a block with full transaction objects. */
export function readBlock(value: unknown): EvmBlock {
  const block = asRecord(value);
  return {
    ...readHead(block),
    parentHash: asHash(block.parentHash),
    transactions: asList(block.transactions).map(readTransaction),
  };
}

export function readTransaction(value: unknown): EvmTransaction {
  const transaction = asRecord(value);
  return {
    txid: asHash(transaction.hash),
    from: asAddress(transaction.from),
    to: isAbsent(transaction.to) ? null : asAddress(transaction.to),
    valueWei: asQuantity(transaction.value),
    nonce: asCount(transaction.nonce),
    blockHash: isAbsent(transaction.blockHash) ? null : asHash(transaction.blockHash),
  };
}

/** Null for a receipt without a block, which some nodes return for pending transactions. */
export function readReceipt(value: unknown, tokens: TokensByContract): EvmReceipt | null {
  const receipt = asRecord(value);
  if (isAbsent(receipt.blockHash)) return null;
  return {
    txid: asHash(receipt.transactionHash),
    height: asCount(receipt.blockNumber),
    blockHash: asHash(receipt.blockHash),
    succeeded: asCount(receipt.status) === 1,
    feeWei: asQuantity(receipt.gasUsed) * asQuantity(receipt.effectiveGasPrice) + blobFeeWei(receipt),
    tokenTransfers: parseTransferLogs(receipt.logs, tokens),
  };
}

// Helpers

/** EIP-4844: a blob transaction pays for blobs separately from gas. */
function blobFeeWei(receipt: JsonRecord): bigint {
  if (isAbsent(receipt.blobGasUsed) || isAbsent(receipt.blobGasPrice)) return 0n;
  return asQuantity(receipt.blobGasUsed) * asQuantity(receipt.blobGasPrice);
}

/** Nodes return null or omit the field. */
function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}
