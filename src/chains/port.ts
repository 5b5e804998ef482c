import type { ChainOrder, GoneReason, UnixMs } from '../../machines/index.ts';

/**
 * What a chain watcher needs and what it tells. A watcher has no database: the watch set and the cursor come
 * in, observations go out. Whatever it reports is the *whole* standing of one output at that moment, so
 * receivers need no history and the newest report wins.
 */

/** The standing of one output that pays a watched script or address. */
export interface Observation {
  readonly network: string;
  readonly outputId: string;
  readonly txid: string | null;
  /** The watched key (hex output script, or lower-case address) that was paid. */
  readonly watchKey: string;
  readonly amountBaseUnits: bigint;
  readonly order: ChainOrder;
  readonly firstSeenAt: UnixMs;
  readonly standing: Standing;
}

export type Standing =
  | { readonly kind: 'mempool' }
  | { readonly kind: 'block'; readonly height: number; readonly blockHash: string }
  | { readonly kind: 'confirmed'; readonly height: number; readonly blockHash: string }
  | { readonly kind: 'gone'; readonly reason: GoneReason };

/** How far a watcher has looked. Observations up to here have been accepted by the broker. */
export interface Cursor {
  readonly height: number;
  readonly blockHash: string;
}

/** A block the watcher has scanned, with what it found in it: enough to undo it without the node. */
export interface ScannedBlock extends Cursor {
  readonly outputs: readonly TrackedOutput[];
}

/** An output the watcher follows, as it last stood. */
export interface TrackedOutput {
  readonly outputId: string;
  readonly txid: string;
  readonly watchKey: string;
  readonly amountBaseUnits: bigint;
  readonly firstSeenAt: UnixMs;
  /** Outpoints (`txid:vout`) its transaction spends; another transaction spending one of them replaces it. */
  readonly spends: readonly string[];
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
   */
  saveProgress(progress: Progress): Promise<void>;
}

export interface Progress {
  readonly forkHeight: number;
  readonly blocks: readonly ScannedBlock[];
  readonly cursor: Cursor;
  readonly tipHeight: number;
  /** Time up to which the network has been looked at completely; null while still catching up. */
  readonly lookedUntil: UnixMs | null;
  /** Replaces the list of unsettled outputs as `saveUnsettled` does; null leaves it as it is. */
  readonly unsettled: readonly TrackedOutput[] | null;
}

/** The set of watched keys, refreshed before every scan. */
export interface WatchSet {
  /** Brings in everything committed so far. Called before each scan. */
  refresh(): Promise<void>;
  has(watchKey: string): boolean;
}

/** Takes observations; resolves when the broker has accepted every one of them. */
export type ObservationSink = (observations: readonly Observation[]) => Promise<void>;

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
}

/** One running watcher. */
export interface Watcher {
  readonly network: string;
  /** Looks once: reorganisations, new blocks, mempool. Resolves when the findings are accepted and saved. */
  step(): Promise<void>;
  /** Answers a verification with one observation per output, whatever the answer is. */
  verify(request: VerifyRequest): Promise<void>;
  status(): WatcherStatus;
}
