import type { CryptoSymbol } from '../../../machines/index.ts';
import type { Account } from '../port.ts';

/**
 * The questions an EVM watcher asks, in its own words. "Not there" is an answer (null); failures are thrown as
 * `RetryableError` (the node does not answer properly) or `TerminalError` (only a person can mend it). Addresses and
 * hashes are lower-case hex with `0x`.
 */
export interface EvmNode {
  /**
   * Chooses the endpoint that all questions go to until the next call, so that one look never mixes the views of two
   * nodes, and says where its chain ends. Called at the beginning of every look.
   */
  heads(): Promise<EvmHeads>;
  /** Hash of the best chain's block at each height; null above the tip. */
  blockHashes(heights: readonly number[]): Promise<(string | null)[]>;
  /** Blocks of the best chain with their transactions; null above the tip. */
  blocks(heights: readonly number[]): Promise<(EvmBlock | null)[]>;
  /** Transfers of the listed tokens in a run of blocks, both ends included, in chain order. */
  tokenTransfers(range: { readonly fromHeight: number; readonly toHeight: number }): Promise<TokenTransfer[]>;
  /** Receipts of transactions in blocks of the best chain; null for all others. */
  receipts(txids: readonly string[]): Promise<(EvmReceipt | null)[]>;
  /** Transactions the node knows, in a block or waiting; null for all others. */
  transactions(txids: readonly string[]): Promise<(EvmTransaction | null)[]>;
  /**
   * Balances as of the block with this height, in the order of the accounts. Null when the node no longer has the state of
   * that block. The caller checks that the block is still in the best chain afterwards. Throws `UnreadableBalanceError`, a
   * `RetryableError` naming the asset, when a token's contract does not answer: ask again without that asset.
   */
  balances(accounts: readonly Account[], height: number): Promise<bigint[] | null>;
  /**
   * Native transfers made by contracts to these addresses in a block of the best chain, with the transaction that made them;
   * null when the node does not trace. Any failure of it concerns nothing else; see `PatientTraces`.
   */
  internalTransfers(addresses: ReadonlySet<string>, height: number): Promise<InternalTransfer[] | null>;
  /** Number of transactions each address has sent up to a block; null when the node no longer has the state of that block. */
  nonces(addresses: readonly string[], height: number): Promise<number[] | null>;
}

export interface EvmHead {
  readonly height: number;
  readonly hash: string;
  readonly timeSeconds: number;
}

export interface EvmHeads {
  readonly latest: EvmHead;
  /** Height that the network's validators have finalised; null when the node does not say. */
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
  /** Null for the creation of a contract. */
  readonly to: string | null;
  readonly valueWei: bigint;
  readonly nonce: number;
  /** Null while it waits for a block. */
  readonly blockHash: string | null;
}

/** One `Transfer` event (ERC-20) of a listed token contract. */
export interface TokenTransfer {
  readonly token: CryptoSymbol;
  readonly from: string;
  readonly to: string;
  readonly amountBaseUnits: bigint;
  readonly txid: string;
  /** Place of the log in its block. */
  readonly logIndex: number;
  readonly height: number;
  readonly blockHash: string;
}

export interface EvmReceipt {
  readonly txid: string;
  readonly height: number;
  readonly blockHash: string;
  /** False for a transaction that was reverted: it moved nothing but its fee. */
  readonly succeeded: boolean;
  /** What its sender paid for it (gas used times effective gas price), in wei. */
  readonly feeWei: bigint;
  readonly tokenTransfers: readonly TokenTransfer[];
}

export interface InternalTransfer {
  readonly to: string;
  readonly valueWei: bigint;
  readonly txid: string;
}
