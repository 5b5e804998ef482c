import type { GoneReason } from '../../../machines/index.ts';
import type { Standing, TrackedOutput, WatcherStore } from '../port.ts';
import { type ChainMemory, createChainMemory } from './chain-memory.ts';

/**
 * Everything a watcher remembers between steps. It can be thrown away at any time and loaded again: a failed step
 * does exactly that, so that an error and a crash are the same case.
 *
 * *Unsettled* outputs are those in no scanned block: in the mempool, or fallen out of a block and not found again.
 * They are followed until they are found or declared gone, also when their key is no longer watched.
 */
export interface WatcherMemory {
  readonly chain: ChainMemory;
  readonly unsettled: Map<string, Unsettled>;
  /** Ids in the store's list of unsettled outputs. */
  savedUnsettledIds: ReadonlySet<string>;
  /** What the sink last accepted about outputs that are not gone. Incomplete after a start: then things are said twice. */
  readonly reported: Map<string, Standing>;
  /** Why the outputs that went last went: a verification must not contradict what was told with better knowledge. */
  readonly goneReasons: Map<string, GoneReason>;
  /** Transactions of which an input was seen spent by another transaction. */
  readonly conflictedTxids: Set<string>;
  /** Blocks above this height are not in the store as they are remembered here. */
  savedHeight: number;
  /**
   * Outputs of blocks above this height are said again although they are saved: another watcher may have told that they
   * are gone after it lost its turn, and only a report with a newer order corrects that.
   */
  readonly saidAgainAbove: number;
}

export interface Unsettled {
  readonly output: TrackedOutput;
  /** It was in a block that is no longer in the best chain. */
  readonly fellOut: boolean;
}

/** Newest saved blocks whose outputs are said again after a start; far more than a stalled watcher could undo. */
const SAID_AGAIN_BLOCKS = 20;
/** Reasons remembered. */
const GONE_REASONS = 10_000;

/** Loads what the store holds, keeping at most `historyBlocks` blocks. */
export async function loadMemory(store: WatcherStore, historyBlocks: number): Promise<WatcherMemory> {
  const cursor = await store.loadCursor();
  const newestFirst = cursor === null ? [] : await store.loadRecentBlocks(historyBlocks);
  const unsettled = await store.loadUnsettled();
  const linked = newestFirst.filter((block, index) => block.height === (newestFirst[0]?.height ?? 0) - index);
  const usable = cursor === null || linked[0]?.blockHash === cursor.blockHash ? linked : [{ ...cursor, outputs: [] }];
  return {
    chain: createChainMemory(usable.reverse()),
    unsettled: new Map(unsettled.map((output) => [output.outputId, { output, fellOut: false }])),
    savedUnsettledIds: new Set(unsettled.map((output) => output.outputId)),
    reported: new Map(),
    goneReasons: new Map(),
    conflictedTxids: new Set(),
    savedHeight: cursor?.height ?? -1,
    saidAgainAbove: (cursor?.height ?? -1) - SAID_AGAIN_BLOCKS,
  };
}

/**
 * Undoes the blocks above `height`: their outputs are unsettled until they are found again. An output of a block
 * that was never reported is simply forgotten.
 */
export function disconnectAbove(memory: WatcherMemory, height: number): void {
  for (const block of memory.chain.disconnect(height)) {
    for (const output of block.outputs) {
      const wasReported = block.height <= memory.savedHeight || memory.reported.has(output.outputId);
      const known = memory.unsettled.get(output.outputId);
      if (!wasReported && known === undefined) continue;
      const left = known?.output.leftBaseUnits;
      const fallen = left === undefined ? output : { ...output, leftBaseUnits: left };
      memory.unsettled.set(output.outputId, { output: fallen, fellOut: true });
    }
  }
  memory.savedHeight = Math.min(memory.savedHeight, height);
}

/**
 * Forgets all but the newest `limit` blocks. Done between looks and never in one: a verification must find what
 * its own look came across, however many blocks that was.
 */
export function forgetOldBlocks(memory: WatcherMemory, limit: number): void {
  for (const block of memory.chain.prune(limit)) {
    for (const output of block.outputs) memory.reported.delete(output.outputId);
  }
}

export function rememberGone(memory: WatcherMemory, outputId: string, reason: GoneReason): void {
  memory.goneReasons.delete(outputId);
  memory.goneReasons.set(outputId, reason);
  for (const oldest of memory.goneReasons.keys()) {
    if (memory.goneReasons.size <= GONE_REASONS) return;
    memory.goneReasons.delete(oldest);
  }
}
