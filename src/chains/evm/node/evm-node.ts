import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { Account, Cursor } from '../../port.ts';

/**
 * The queries an EVM watcher makes. "Not found" is a result (null); failures throw `RetryableError`
 * (no valid response) or `TerminalError` (needs an operator). Addresses and hashes are lower-case
 * hex with `0x`.
 */
export interface EvmNode {
  /**
   * Returns the heads of the chain. Chooses the endpoint for all queries until the next call, so
   * that one poll never mixes the views of two nodes. Called at the beginning of every poll.
   */
  heads(): Promise<EvmHeads>;
  /** Hash of the best chain's block at each height; null above the tip. */
  blockHashes(heights: readonly number[]): Promise<(string | null)[]>;
  /** Blocks of the best chain with their transactions; null above the tip. */
  blocks(heights: readonly number[]): Promise<(EvmBlock | null)[]>;
  /** Whether transfers of a token are read; not if its contract is unknown or was rejected. */
  readsToken(asset: CryptoSymbol): boolean;
  /** Transfers of the listed tokens in a range of blocks, both ends included, in chain order. */
  tokenTransfers(range: LogRange): Promise<TokenTransfer[]>;
  /** Receipts of transactions in blocks of the best chain; null for all others. */
  receipts(txids: readonly string[]): Promise<(EvmReceipt | null)[]>;
  /** Mined and pending transactions the node knows; null for all others. */
  transactions(txids: readonly string[]): Promise<(EvmTransaction | null)[]>;
  /**
   * Balances as of a block of the best chain, in the order of the accounts; null when the node no
   * longer has its state. Throws `LeftChainError` when the block is not in the best chain of the
   * machine that answers, and `UnreadableBalanceError`, a `RetryableError` naming the asset, when a
   * token contract does not respond: retry without that asset.
   */
  balances(accounts: readonly Account[], block: Cursor): Promise<bigint[] | null>;
  /**
   * Native transfers from contracts to these addresses in a block; null when the node does not
   * support tracing or no longer has the block. A failure affects no other query; see
   * `RetriedTraces`.
   */
  internalTransfers(addresses: ReadonlySet<string>, block: Cursor): Promise<BlockTrace | null>;
  /**
   * Transaction count of each address as of a block of the best chain; null when the node no longer
   * has its state. Throws `LeftChainError`, as `balances` does.
   */
  nonces(addresses: readonly string[], block: Cursor): Promise<number[] | null>;
  /** What one provider may be wrong about, queried at another one. */
  readonly second: SecondEndpoint;
}

/**
 * Another endpoint that is in sync. Null when there is none, or it cannot answer. Throws
 * `LeftChainError` while it may just not have received the block yet: then the poll starts over.
 */
export interface SecondEndpoint {
  balances(accounts: readonly Account[], block: Cursor): Promise<bigint[] | null>;
  tokenTransfers(range: LogRange): Promise<TokenTransfer[] | null>;
}

export interface EvmHead {
  readonly height: number;
  readonly hash: string;
  readonly timeSeconds: number;
}

export interface EvmHeads {
  readonly latest: EvmHead;
  /** Height finalised by the network's validators; null when the node does not report it. */
  readonly finalizedHeight: number | null;
  readonly isSyncing: boolean;
}

export interface EvmBlock extends EvmHead {
  readonly parentHash: string;
  readonly transactions: readonly EvmTransaction[];
}

export interface EvmTransaction {
  readonly txid: string;
  readonly from: string;
  /** Null for contract creation. */
  readonly to: string | null;
  readonly valueWei: bigint;
  readonly nonce: number;
  /** Null while pending. */
  readonly blockHash: string | null;
}

export interface LogRange {
  readonly fromHeight: number;
  /** The last block. A machine that has another one would leave logs out: `LeftChainError`. */
  readonly end: Cursor;
  /** Only transfers to these addresses; to all when left out. */
  readonly recipients?: readonly string[];
}

/** One `Transfer` event (ERC-20) of a listed token contract. */
export interface TokenTransfer {
  readonly token: CryptoSymbol;
  readonly from: string;
  readonly to: string;
  readonly amountBaseUnits: bigint;
  readonly txid: string;
  readonly logIndex: number;
  readonly height: number;
  readonly blockHash: string;
}

export interface EvmReceipt {
  readonly txid: string;
  readonly height: number;
  readonly blockHash: string;
  /** False for a reverted transaction: it moved nothing but its fee. */
  readonly succeeded: boolean;
  /** Fee the sender paid, in wei: gas used times effective gas price, plus blob gas (EIP-4844). */
  readonly feeWei: bigint;
  readonly tokenTransfers: readonly TokenTransfer[];
}

export interface BlockTrace {
  readonly transfers: readonly InternalTransfer[];
  /**
   * Transactions in the trace. Some nodes leave out others once they dropped the state; only for
   * these is it known that a transaction sent nothing.
   */
  readonly txids: ReadonlySet<string>;
}

export interface InternalTransfer {
  readonly to: string;
  readonly valueWei: bigint;
  readonly txid: string;
}
