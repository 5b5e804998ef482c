import type { ChainOrder, CryptoSymbol, GoneReason, Outdated, UnixMs } from '../../machines/index.ts';

/**
 * What a chain watcher needs and what it tells. A watcher has no database: the watch set and the cursor come
 * in, observations go out. Whatever it reports is the *whole* standing of one output at that moment, so
 * receivers need no history and the newest report wins; `outdates` says of others that theirs is under way.
 */

/** The standing of one output that pays a watched script or address. */
export interface Observation {
  readonly network: string;
  readonly outputId: string;
  /** Null when only a balance shows the money, because no transaction of the chain's own names it. */
  readonly txid: string | null;
  /** The watched key (hex output script, or lower-case address) that was paid. */
  readonly watchKey: string;
  /** What was paid. One address of an account-based chain takes the chain's coin and every token. */
  readonly asset: CryptoSymbol;
  readonly amountBaseUnits: bigint;
  readonly order: ChainOrder;
  readonly firstSeenAt: UnixMs;
  /** What its transaction uses up, as in `TrackedOutput`; left out where that is unknown. */
  readonly spends?: readonly string[];
  /** Outputs of the same account that this report, or one before, calls gone or smaller. */
  readonly outdates?: Outdated;
  /** Another one's `outdates` names this one, so a payment must get it although it knows the same already. */
  readonly isOutdating?: true;
  readonly standing: Standing;
}

export type Standing =
  | { readonly kind: 'mempool' }
  | { readonly kind: 'block'; readonly height: number; readonly blockHash: string }
  /** Deep enough; or, `byLock`, in a block that no other can replace, however new it is. */
  | { readonly kind: 'confirmed'; readonly height: number; readonly blockHash: string; readonly byLock?: true }
  | { readonly kind: 'gone'; readonly reason: GoneReason };

/** How far a watcher has looked. Observations up to here have been accepted by the broker. */
export interface Cursor {
  readonly height: number;
  readonly blockHash: string;
}

/** A block the watcher has scanned, with what it found in it: enough to undo it without the node. */
export interface ScannedBlock extends Cursor {
  readonly outputs: readonly TrackedOutput[];
  /** By how much watched accounts changed in it, in the chain's own coin. Account-based chains only. */
  readonly flows?: readonly AccountChange[];
}

/** A change of one account, in base units; negative when coins left. */
export interface AccountChange extends Account {
  readonly baseUnits: bigint;
}

/** An output the watcher follows, as it last stood. */
export interface TrackedOutput {
  readonly outputId: string;
  readonly txid: string | null;
  readonly watchKey: string;
  readonly asset: CryptoSymbol;
  readonly amountBaseUnits: bigint;
  readonly firstSeenAt: UnixMs;
  /**
   * What its transaction uses up: outpoints (`txid:vout`), or sender and nonce (`address:nonce`) on
   * an account-based chain. Another transaction using one of them up replaces it.
   */
  readonly spends: readonly string[];
  /**
   * How much of it no other output has the first sighting of, in base units; all of it when left
   * out. Of unsettled outputs on account-based chains.
   */
  readonly leftBaseUnits?: bigint;
}

/**
 * What the watcher keeps between restarts. Implemented over the database by the payments feature. It is the
 * watcher's own memory and never derived from payments: those learn of an observation only after the broker has
 * carried it, which may be after the watcher's next start.
 */
export interface WatcherStore {
  /** Takes a new fencing epoch, higher than every earlier one of this network. */
  nextEpoch(): Promise<number>;
  loadCursor(): Promise<Cursor | null>;
  /** Scanned blocks of the best chain, newest first, at most `limit`. */
  loadRecentBlocks(limit: number): Promise<ScannedBlock[]>;
  /** The unsettled outputs as they were last saved; none before the first time. */
  loadUnsettled(): Promise<TrackedOutput[]>;
  /**
   * Replaces the list of outputs that are in no scanned block: in the mempool, fallen out of a block, or about to
   * be reported. Written ahead of a report, so that an output reported just before a crash is never forgotten.
   */
  saveUnsettled(outputs: readonly TrackedOutput[]): Promise<void>;
  /**
   * In one transaction: forgets scanned blocks above `forkHeight`, records the new ones, moves the cursor, replaces
   * the unsettled outputs. A `lookedUntil` of null leaves the last one as it is.
   *
   * Expected balances stay those as of the cursor, also of accounts that are not compared: the flows of forgotten blocks
   * are subtracted, those of recorded blocks added. `balances` are absolute and win.
   */
  saveProgress(progress: Progress): Promise<void>;
}

export interface Progress {
  readonly forkHeight: number;
  readonly blocks: readonly ScannedBlock[];
  readonly cursor: Cursor;
  readonly tipHeight: number;
  /** All that is dated before this moment has been seen; null while still catching up. */
  readonly lookedUntil: UnixMs | null;
  /** Replaces the list of unsettled outputs as `saveUnsettled` does; null leaves it as it is. */
  readonly unsettled: readonly TrackedOutput[] | null;
  /** Expected balances that changed, as of the cursor. Account-based chains only. */
  readonly balances?: readonly ExpectedBalance[];
  /** Accounts whose turn in the sweep of all watched addresses is over. Account-based chains only. */
  readonly turns?: readonly SweepTurn[];
}

/** What an address should hold at the saved cursor, if every coin that moved was seen moving. */
export interface ExpectedBalance extends Account {
  readonly baseUnits: bigint;
}

/** One asset at one address of an account-based chain. */
export interface Account {
  /** Address in lower case. */
  readonly watchKey: string;
  readonly asset: CryptoSymbol;
}

/** An account whose balance is compared with what is expected, because a payment to it is open. */
export interface OpenAccount extends Account {
  /** As last saved; null when this account was not looked at before. */
  readonly expectedBaseUnits: bigint | null;
  /** The address was found empty and unused before it was handed out. */
  readonly wasVetted: boolean;
}

/** When an account is to be compared next. */
export interface SweepTurn extends Account {
  /** Null when it is no longer watched. */
  readonly nextTurnAt: UnixMs | null;
}

/** An account of a watched address whose turn in the sweep has come. */
export interface DueAccount extends SweepTurn {
  /** As of the saved cursor; null when nothing is known of it. */
  readonly expectedBaseUnits: bigint | null;
}

/** The accounts to compare. */
export interface AccountBook {
  /**
   * Accounts of open payments, compared in every look, and accounts of theirs for which no balance is saved yet. Asked for
   * after the blocks were fetched: a payment to an address in these blocks was created before.
   */
  openAccounts(): Promise<readonly OpenAccount[]>;
  /** Accounts of watched addresses whose turn has come, longest overdue first, at most `limit`. */
  dueAccounts(limit: number): Promise<readonly DueAccount[]>;
}

/** An account holds less than is expected, and no transaction of the chain explains it. */
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
 * Takes balance drops of one network; resolves when the broker has accepted every one of them. Rejects as `ObservationSink` does when
 * another watcher has taken a later epoch: then none of them is told.
 */
export type BalanceDropSink = (drops: readonly BalanceDrop[], telling: Pick<Telling, 'epoch'>) => Promise<void>;

/** The set of watched keys, refreshed before every scan. */
export interface WatchSet {
  /** Brings in everything committed so far. Called before each scan. */
  refresh(): Promise<void>;
  has(watchKey: string): boolean;
  /** The same for a key in hex given as the bytes from `start` to before `end`; spares making a string of each script. */
  hasBytes?(data: Uint8Array, start: number, end: number): boolean;
}

/** Who tells observations, and why. */
export interface Telling {
  /** Fencing epoch of the watcher. */
  readonly epoch: number;
  /** Somebody waits for an answer, so what is known already must be told as well. */
  readonly isAsked: boolean;
}

/**
 * Takes observations of one network; resolves when the broker has accepted every one of them that tells something new. Rejects with a
 * `RetryableError` `WATCHER_FENCED` when another watcher has taken a later epoch: then nothing of this one is told any more.
 */
export type ObservationSink = (observations: readonly Observation[], telling: Telling) => Promise<void>;

/** A request to check that outputs are deep enough in the canonical chain. */
export interface VerifyRequest {
  readonly outputs: readonly {
    readonly output: TrackedOutput;
    readonly requiredConfirmations: number;
    /** Height at which the output was last reported; spares a search when the watcher no longer remembers it. */
    readonly reportedHeight?: number | null;
  }[];
}

export interface WatcherStatus {
  readonly network: string;
  readonly cursorHeight: number | null;
  readonly tipHeight: number | null;
  readonly lookedUntil: UnixMs | null;
  readonly lastError: string | null;
  /** What an operator should mend although looking works: a pruned node, say. Sentences. */
  readonly warnings: readonly string[];
  /** Assets of the network whose payments would not be seen; absent when there are none. */
  readonly unwatchedAssets?: readonly CryptoSymbol[];
}

/** Blocks to be read again, both ends included. */
export interface RescanRange {
  readonly fromHeight: number;
  readonly toHeight: number;
}

export interface RescanResult {
  readonly blocks: number;
  readonly outputs: number;
}

/** One running watcher. */
export interface Watcher {
  readonly network: string;
  /** Looks once: reorganisations, new blocks, mempool. Resolves when the findings are accepted and saved. */
  step(): Promise<void>;
  /** Answers a verification with one observation per output, whatever the answer is. */
  verify(request: VerifyRequest): Promise<void>;
  /**
   * Reads blocks of the best chain again and reports every watched output in them, whatever was reported before.
   * Doing it twice changes nothing. Throws a `RangeError` for heights above the tip.
   */
  rescan(range: RescanRange): Promise<RescanResult>;
  status(): WatcherStatus;
}
