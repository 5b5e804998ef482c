import type fc from 'fast-check';
import type { CryptoSymbol } from '../../../machines/index.ts';
import type { Observation, ObservationSink, Watcher, WatcherStore, WatchSet } from '../../../src/chains/index.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import type { TestDatabase } from '../../support/database/test-database.ts';
import type { HistoryEvent, NodeEvent, Way } from './history-event.ts';

/** One kind of chain for the property: in-memory node, watcher, and customers' transactions. */
export interface PlayedChain<T extends PlayedTransaction> {
  readonly network: string;
  readonly histories: fc.Arbitrary<HistoryEvent[]>;
  readonly node: PlayedNode<T>;
  /** The chain has no watched mempool: coins are first seen in a block. */
  readonly isSeenInBlocksOnly: boolean;
  /** The coin in which the payment at this index is quoted. */
  cryptoOf(payment: number): CryptoSymbol;
  createWatcher(parts: WatcherParts): Watcher;
  /** A transaction that pays recipients. It replaces those of the given lineage. */
  pay(recipients: readonly Recipient[], terms: PayTerms): Made<T>;
  /** A transaction of a lineage that pays an unwatched address. */
  payElsewhere(lineage: string, salt: number): T;
  /** The transactions behind an observation. */
  txidsOf(observation: Observation): readonly string[];
  /** Names an output within its transaction, where a reorganisation may change output ids. */
  partOf(observation: Observation): string;
  /** Whether the property plays a reorganisation that undoes these blocks. */
  mayUndo(blocks: readonly PlayedBlock<T>[]): boolean;
  /** Whether the node can answer verifications now. */
  canVerify(): boolean;
  /** Changes how the node answers. */
  change(each: NodeEvent): void;
  /** From now on the node answers normally. */
  calm(): void;
  /** Starts a history. */
  begin(): void;
}

export interface PlayedTransaction {
  readonly txid: string;
}

export interface PlayedBlock<T> {
  readonly hash: string;
  readonly timeSeconds: number;
  readonly transactions: readonly T[];
}

/** What all in-memory nodes have in common. */
export interface PlayedNode<T> {
  /** Seconds; block times follow it. */
  readonly time: { timeSeconds: number };
  /** Calls the listener before every call of the watcher. */
  onCall(listener: (() => void) | null): void;
  bestBranch(): readonly PlayedBlock<T>[];
  waiting(): readonly T[];
  submit(transaction: T): boolean;
  drop(txid: string): void;
  build(parentHash: string, transactions: readonly T[]): { readonly hash: string };
  setBest(hash: string, returns: (txid: string) => boolean): void;
  mine(transactions: readonly T[]): void;
}

export interface WatcherParts {
  readonly db: TestDatabase['db'];
  readonly store: WatcherStore;
  readonly watchSet: WatchSet;
  readonly sink: ObservationSink;
  readonly clock: Clock;
}

export interface Recipient {
  readonly watchKey: string;
  readonly crypto: CryptoSymbol;
  readonly amount: bigint;
}

export interface PayTerms {
  readonly way: Way;
  /** Null for coins that no transaction has spent before. */
  readonly lineage: string | null;
  /** It spends an additional coin. */
  readonly addsInput: boolean;
  readonly salt: number;
}

export interface Made<T> {
  readonly transaction: T;
  readonly lineage: string;
}
