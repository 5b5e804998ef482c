import { setTimeout as sleep } from 'node:timers/promises';
import type { RescanRange, RescanResult, Watcher } from '../../chains/index.ts';
import { RetryableError, TerminalError } from '../../platform/errors.ts';

export interface RescanOptions {
  readonly fromHeight: number;
  /** Null: the newest block when the rescan begins. */
  readonly toHeight: number | null;
  readonly blocksPerPart: number;
  /** Called after each part. */
  readonly onPart: (done: RescanRange & RescanResult) => void;
}

/**
 * Consecutive failures of one part. A service that watches the same network and this process take
 * the lease from each other, with longer waits each time, and the tip may move. A part normally
 * succeeds well before this limit.
 */
const MAX_FAILURES_OF_PART = 10;
/** Errors that a retry resolves. All others are thrown immediately. */
const PASSING_CODES = new Set(['WATCHER_FENCED', 'TIP_MOVED', 'STATE_MISSING']);

/**
 * Rescans a range part by part, so that progress is visible and a failure repeats only one part.
 * Throws a `TerminalError` `USAGE` for heights the chain does not have, and what the watcher
 * throws.
 */
export async function rescanInParts(watcher: Watcher, options: RescanOptions): Promise<RescanRange & RescanResult> {
  const { fromHeight, blocksPerPart, onPart } = options;
  await untilItPasses(() => watcher.step());
  const { tipHeight } = watcher.status();
  const toHeight = options.toHeight ?? tipHeight ?? 0;
  if (tipHeight === null || toHeight > tipHeight || fromHeight > toHeight) {
    throw new TerminalError(
      'USAGE',
      `blocks ${fromHeight} to ${toHeight} do not exist: ${watcher.network} has blocks 0 to ${tipHeight}`,
    );
  }
  let outputs = 0;
  for (let start = fromHeight; start <= toHeight; start += blocksPerPart) {
    const part = { fromHeight: start, toHeight: Math.min(start + blocksPerPart - 1, toHeight) };
    const result = await untilItPasses(() => watcher.rescan(part));
    outputs += result.outputs;
    onPart({ ...part, ...result });
  }
  return { fromHeight, toHeight, blocks: toHeight - fromHeight + 1, outputs };
}

// Helpers

async function untilItPasses<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const passes = error instanceof RetryableError && PASSING_CODES.has(error.code);
      if (!passes || failures === MAX_FAILURES_OF_PART) throw error;
      await sleep(error.retryAfterMs);
    }
  }
}
