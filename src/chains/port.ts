import type { ChainOrder, CryptoSymbol, GoneReason, Outdated, UnixMs } from '../../machines/index.ts';

/**
 * The interface of a chain watcher. A watcher has no database: it reads the watch set and the
 * cursor, and emits observations. Each observation carries the *complete* status of one output, so
 * consumers need no history and the latest observation wins. `outdates` lists other outputs whose
 * own observations are still in flight.
 */

/** What is known of one output that pays a watched script or address, whatever its status. */
interface OutputDetails {
  readonly outputId: string;
  /** Null when the payment is visible only in a balance, because no transaction names it. */
  readonly txid: string | null;
  /** The watched key (hex output script, or lower-case address) that was paid. */
  readonly watchKey: string;
  /** The asset paid. One address of an account-based chain receives the coin and every token. */
  readonly asset: CryptoSymbol;
  readonly amountBaseUnits: bigint;
  /**
   * The amount is what the log of a token states and may be too high: the node no longer had the
   * state that shows what arrived. An amount known before for the same block is the better one.
   */
  readonly isUnproven?: true;
  readonly firstSeenAt: UnixMs;
}

/** The status of one output. */
export interface Observation extends OutputDetails {
  readonly network: string;
  readonly order: ChainOrder;
  /** Order of an earlier observation, not processed yet, that was the first sighting. */
  readonly firstSeenOrder?: ChainOrder;
  /** The inputs of its transaction, as in `TrackedOutput`; omitted when unknown. */
  readonly spends?: readonly string[];
  /** Outputs of the same account that this report or an earlier one marks as gone or smaller. */
  readonly outdates?: Outdated;
  /** Listed in another observation's `outdates`: deliver it even if the payment knows it. */
  readonly isOutdating?: true;
  readonly status: OutputStatus;
}

export type OutputStatus =
  | { readonly kind: 'mempool' }
  | { readonly kind: 'block'; readonly height: number; readonly blockHash: string }
  /** Enough confirmations, or (`byLock`) in a ChainLocked block, which cannot be reorganised. */
  | { readonly kind: 'confirmed'; readonly height: number; readonly blockHash: string; readonly byLock?: true }
  | { readonly kind: 'gone'; readonly reason: GoneReason };

/** How far a watcher has scanned. The broker has accepted all observations up to here. */
export interface Cursor {
  readonly height: number;
  readonly blockHash: string;
}

/** A scanned block and the outputs found in it: enough to disconnect it without the node. */
export interface ScannedBlock extends Cursor {
  readonly outputs: readonly TrackedOutput[];
  /** Changes of watched accounts in it, in the chain's native coin. Account-based chains only. */
  readonly flows?: readonly AccountChange[];
}

/** The balance change of one account, in base units; negative when coins left. */
export interface AccountChange extends Account {
  readonly baseUnits: bigint;
}

/** An output the watcher tracks, as last observed. */
export interface TrackedOutput extends OutputDetails {
  /**
   * The inputs of its transaction: outpoints (`txid:vout`), or sender and nonce (`address:nonce`)
   * on an account-based chain. Another transaction that spends one of them replaces it.
   */
  readonly spends: readonly string[];
  /**
   * The part that has not passed its first-seen time on to another output, in base units; all of
   * it when omitted. Only for unsettled outputs on account-based chains.
   */
  readonly leftBaseUnits?: bigint;
}

/**
 * The watcher's state across restarts, stored in the database by the payments feature. It is never
 * derived from payments: they receive an observation only through the broker, possibly after the
 * watcher has restarted.
 */
export interface WatcherStore {
  /** Acquires a new fencing epoch, higher than every earlier one of this network. */
  nextEpoch(): Promise<number>;
  loadCursor(): Promise<Cursor | null>;
  /** Scanned blocks of the best chain, newest first, at most `limit`. */
  loadRecentBlocks(limit: number): Promise<ScannedBlock[]>;
  /** The scanned blocks below a height that have these outputs; others are omitted. */
  findRecorded(outputIds: readonly string[], belowHeight: number): Promise<RecordedOutput[]>;
  /** The unsettled outputs as last saved; empty before the first save. */
  loadUnsettled(): Promise<TrackedOutput[]>;
  /** The reorged outputs as last saved; empty before the first save. */
  loadReorged(): Promise<ReorgedOutput[]>;
  /**
   * Adds or overwrites outputs in no scanned block: in the mempool, dropped from a block, or about
   * to be reported. Written before each report, so a crash cannot lose a reported output. Replaces
   * the reorged outputs in the same write, unless they are omitted.
   */
  saveUnsettled(outputs: readonly TrackedOutput[], reorged?: readonly ReorgedOutput[]): Promise<void>;
  /**
   * In one transaction: deletes scanned blocks above `forkHeight`, inserts the new ones, moves the
   * cursor and changes the unsettled outputs. A null `syncedUntil` keeps the stored value.
   *
   * Expected balances always match the cursor, even for accounts that are not compared: flows of
   * deleted blocks are subtracted, flows of inserted blocks added. `balances` are absolute and
   * take precedence.
   */
  saveProgress(progress: Progress): Promise<void>;
}

/** The scanned block that has an output. */
export interface RecordedOutput extends Cursor {
  readonly outputId: string;
}

export interface Progress {
  readonly forkHeight: number;
  readonly blocks: readonly ScannedBlock[];
  readonly cursor: Cursor;
  readonly tipHeight: number;
  /** Everything dated before this moment has been seen; null while still catching up. */
  readonly syncedUntil: UnixMs | null;
  /** Unsettled outputs to add or overwrite, and the ids of those that are settled. */
  readonly unsettled?: { readonly saved: readonly TrackedOutput[]; readonly settledIds: readonly string[] };
  /** Replaces the reorged outputs; omitted keeps them. Account-based chains only. */
  readonly reorged?: readonly ReorgedOutput[];
  /** Expected balances that changed, as of the cursor. Account-based chains only. */
  readonly balances?: readonly ExpectedBalance[];
  /** Accounts that the balance check has just compared. Account-based chains only. */
  readonly nextChecks?: readonly NextCheck[];
}

/** Coins sent by a contract whose block was undone: they may return under another output id. */
export interface ReorgedOutput {
  readonly output: TrackedOutput;
  /** The part of them whose first-seen time no other output has inherited. */
  readonly leftBaseUnits: bigint;
  /** Height of the tip when the output was last unsettled. */
  readonly lastHeight: number;
}

/** The balance an account should have at the saved cursor if every transfer was observed. */
export interface ExpectedBalance extends Account {
  readonly baseUnits: bigint;
}

/** One asset at one address of an account-based chain. */
export interface Account {
  /** Address in lower case. */
  readonly watchKey: string;
  readonly asset: CryptoSymbol;
}

/** An account whose balance is compared with the expected one because it has an open payment. */
export interface OpenAccount extends Account {
  /** As last saved; null when this account was never checked before. */
  readonly expectedBaseUnits: bigint | null;
  /**
   * When the address was assigned to its payment, if it was verified to be empty and unused before
   * that; else null.
   */
  readonly emptyUntil: UnixMs | null;
}

/** When an account is to be compared next. */
export interface NextCheck extends Account {
  /** Null when it is no longer watched. */
  readonly nextCheckAt: UnixMs | null;
}

/** An account of a watched address that is due for its next balance check. */
export interface DueAccount extends NextCheck {
  /** As of the saved cursor; null when unknown. */
  readonly expectedBaseUnits: bigint | null;
  /** When the address was assigned to its payment; null when it is not. */
  readonly assignedAt: UnixMs | null;
}

export interface AccountReader {
  /**
   * Accounts of open payments, compared in every poll, and the native-coin accounts of the same
   * addresses until a balance is saved for them. Call it after the blocks were fetched: a payment
   * to an address in these blocks was created before.
   */
  openAccounts(): Promise<readonly OpenAccount[]>;
  /** Accounts of watched addresses due for a check, longest overdue first, at most `limit`. */
  dueAccounts(limit: number): Promise<readonly DueAccount[]>;
}

/** An account's balance is below the expected one and no transaction explains it. */
export interface BalanceDrop extends Account {
  readonly network: string;
  readonly missingBaseUnits: bigint;
  /**
   * Balance expected before the loss. It identifies the loss: a second drop with the same value
   * replaces the first.
   */
  readonly expectedBaseUnits: bigint;
  readonly height: number;
  readonly blockHash: string;
}

/**
 * Publishes balance drops of one network; resolves when the broker has accepted all of them.
 * Rejects as `ObservationSink` does when another watcher holds a later epoch: then none is
 * published.
 */
export type BalanceDropSink = (drops: readonly BalanceDrop[], options: Pick<ReportOptions, 'epoch'>) => Promise<void>;

/** The set of watched keys, refreshed before every scan. */
export interface WatchSet {
  /** Loads everything committed so far. Called before each scan. */
  refresh(): Promise<void>;
  has(watchKey: string): boolean;
  /** `has` for a hex key given as bytes [`start`, `end`), without creating a string per script. */
  hasBytes?(data: Uint8Array, start: number, end: number): boolean;
}

export interface ReportOptions {
  /** Fencing epoch of the watcher. */
  readonly epoch: number;
  /** The caller waits for a result, so observations that are already known are published too. */
  readonly isForced: boolean;
}

/**
 * Publishes observations of one network; resolves when the broker has accepted all new ones.
 * Rejects with a `RetryableError` `WATCHER_FENCED` when another watcher holds a later epoch:
 * nothing more from this watcher is published.
 */
export type ObservationSink = (observations: readonly Observation[], options: ReportOptions) => Promise<void>;

/** A request to check that outputs are deep enough in the canonical chain. */
export interface VerifyRequest {
  readonly outputs: readonly {
    readonly output: TrackedOutput;
    readonly requiredConfirmations: number;
    /** Height at which the output was last reported; avoids a search if its block was pruned. */
    readonly reportedHeight?: number | null;
  }[];
}

export interface WatcherStatus {
  readonly network: string;
  readonly cursorHeight: number | null;
  readonly tipHeight: number | null;
  readonly syncedUntil: UnixMs | null;
  readonly lastError: string | null;
  /** Sentences for the operator about problems that do not stop polling, such as a pruned node. */
  readonly warnings: readonly string[];
  /** Assets of the network whose payments would not be detected; absent when there are none. */
  readonly unwatchedAssets?: readonly CryptoSymbol[];
}

/** Blocks to rescan, both ends included. */
export interface RescanRange {
  readonly fromHeight: number;
  readonly toHeight: number;
}

export interface RescanResult {
  readonly blocks: number;
  readonly outputs: number;
}

export interface SearchInput {
  readonly txid: string;
  /** The block it is reported to be in. */
  readonly height: number | undefined;
}

export interface SearchResult {
  /** Height of the block that was read again; null when the transaction is in no known block. */
  readonly height: number | null;
  /** Watched outputs reported from that block. */
  readonly outputs: number;
}

export interface Watcher {
  readonly network: string;
  /** Polls once: reorgs, new blocks, mempool. Resolves when findings are accepted and saved. */
  step(): Promise<void>;
  /**
   * Publishes one observation per requested output, regardless of its status; none for one whose
   * absence would prove nothing.
   */
  verify(request: VerifyRequest): Promise<void>;
  /**
   * Rescans blocks of the best chain and reports every watched output in them, even if reported
   * before. Idempotent. Throws a `RangeError` for heights above the tip.
   */
  rescan(range: RescanRange): Promise<RescanResult>;
  /**
   * Finds a transaction by id and rescans its block, or polls when it is in no known block.
   * `height` is the block to rescan when the node cannot find it by its id. Idempotent. Throws a
   * `RangeError` for a height above the tip.
   */
  search(txid: string, height?: number): Promise<SearchResult>;
  status(): WatcherStatus;
}
