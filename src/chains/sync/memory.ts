import type { GoneReason } from '../../../machines/index.ts';
import type { OutputStatus, TrackedOutput, WatcherStore } from '../port.ts';
import { type ChainMemory, createChainMemory } from './chain-memory.ts';

/**
 * All in-memory state of a watcher between steps. It can be discarded and reloaded at any time: a
 * failed step does exactly that, so errors and crashes share one recovery path.
 *
 * *Unsettled* outputs are those in no scanned block: in the mempool, or dropped from a block by a
 * reorg and not found again. They are tracked until found or declared gone, even when their key is
 * no longer watched.
 */
export interface WatcherMemory {
  readonly chain: ChainMemory;
  readonly unsettled: Map<string, Unsettled>;
  /** The unsettled outputs in the store, by id. One that is another object now is saved again. */
  readonly savedUnsettled: Map<string, TrackedOutput>;
  /** Last status the sink accepted, except gone. Empty after a start: see `rereportAbove`. */
  readonly reported: Map<string, OutputStatus>;
  /** Why recently gone outputs went; a later verification must not report a less certain reason. */
  readonly goneReasons: Map<string, GoneReason>;
  /** Transactions with an input that another transaction was seen to spend. */
  readonly conflictedTxids: Set<string>;
  /** Blocks above this height are not yet saved to the store in their current form. */
  savedHeight: number;
  /**
   * Saved blocks above this height are checked again, and outputs whose status differs from
   * `reported` are reported. `reported` is empty after a start, so all their outputs are reported
   * again then: a stalled predecessor may have reported them gone, and only an observation with a
   * newer order corrects that.
   */
  rereportAbove: number;
}

export interface Unsettled {
  readonly output: TrackedOutput;
  /** Was in a block that is no longer in the best chain. */
  readonly wasReorged: boolean;
  /** Was unsettled before this process, which cannot know whether a scanned block had it. */
  readonly wasLoaded?: true;
}

/** Saved blocks reported again after a start; a stalled watcher undoes far fewer. */
const REREPORT_BLOCKS = 20;
/**
 * Saved blocks whose outputs are compared. What was reported of older ones is forgotten, so these
 * are more than are checked for locks.
 */
export const COMPARED_BLOCKS = 30;
/** More blocks than any store keeps. */
export const STORED_BLOCKS = 1_000_000;
/** Maximum number of gone reasons kept. */
const GONE_REASONS = 10_000;

/** Loads the watcher's state from the store, with at most `historyBlocks` blocks. */
export async function loadMemory(store: WatcherStore, historyBlocks: number): Promise<WatcherMemory> {
  const cursor = await store.loadCursor();
  const newestFirst = cursor === null ? [] : await store.loadRecentBlocks(historyBlocks);
  const unsettled = await store.loadUnsettled();
  const linked = newestFirst.filter((block, index) => block.height === (newestFirst[0]?.height ?? 0) - index);
  const usable = cursor === null || linked[0]?.blockHash === cursor.blockHash ? linked : [{ ...cursor, outputs: [] }];
  return {
    chain: createChainMemory(usable.reverse()),
    unsettled: new Map(unsettled.map((output) => [output.outputId, { output, wasReorged: false, wasLoaded: true }])),
    savedUnsettled: new Map(unsettled.map((output) => [output.outputId, output])),
    reported: new Map(),
    goneReasons: new Map(),
    conflictedTxids: new Set(),
    savedHeight: cursor?.height ?? -1,
    rereportAbove: (cursor?.height ?? -1) - REREPORT_BLOCKS,
  };
}

/**
 * Disconnects the blocks above `height`: their outputs become unsettled until found again. Outputs
 * that were never reported are discarded.
 */
export function disconnectAbove(memory: WatcherMemory, height: number): void {
  // A late log lowers `savedHeight`, to save a block again whose other outputs were reported.
  const allReportedUpTo = Math.max(memory.savedHeight, memory.rereportAbove);
  for (const block of memory.chain.disconnect(height)) {
    for (const output of block.outputs) {
      const wasReported = block.height <= allReportedUpTo || memory.reported.has(output.outputId);
      const known = memory.unsettled.get(output.outputId);
      if (!wasReported && known === undefined) continue;
      const left = known?.output.leftBaseUnits;
      const reorged = left === undefined ? output : { ...output, leftBaseUnits: left };
      memory.unsettled.set(output.outputId, { output: reorged, wasReorged: true });
    }
  }
  memory.savedHeight = Math.min(memory.savedHeight, height);
  memory.rereportAbove = Math.min(memory.rereportAbove, height);
}

/**
 * Prunes all but the newest `limit` blocks. Call it between polls, never during one: a verification
 * must find every block of its own poll, however many there were.
 */
export function forgetOldBlocks(memory: WatcherMemory, limit: number): void {
  for (const block of memory.chain.prune(limit)) {
    for (const output of block.outputs) memory.reported.delete(output.outputId);
  }
}

/**
 * Call it once all outputs in blocks have been reported and saved. Then only the newest blocks are
 * compared in each poll, however many a watcher has scanned since its start.
 */
export function forgetOldReports(memory: WatcherMemory): void {
  const above = memory.savedHeight - COMPARED_BLOCKS;
  for (let height = memory.rereportAbove + 1; height <= above; height += 1) {
    for (const { outputId } of memory.chain.at(height)?.outputs ?? []) memory.reported.delete(outputId);
  }
  memory.rereportAbove = Math.max(memory.rereportAbove, above);
}

export function rememberGone(memory: WatcherMemory, outputId: string, reason: GoneReason): void {
  memory.goneReasons.delete(outputId);
  memory.goneReasons.set(outputId, reason);
  for (const oldest of memory.goneReasons.keys()) {
    if (memory.goneReasons.size <= GONE_REASONS) return;
    memory.goneReasons.delete(oldest);
  }
}
