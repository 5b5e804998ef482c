import { runInContext } from '../../request-context.ts';

/** Commands that wait, and the batches they go into. */
export interface BatchQueue<T> {
  add(item: T): void;
  /** Items not yet in a batch. */
  readonly waiting: number;
  /** How long the oldest running batch has been running, in ms; null when none is. */
  oldestRunningMs(): number | null;
  /** Resolves when nothing waits or runs. */
  drained(): Promise<void>;
}

export interface BatchQueueOptions<T> {
  /** The actor an item is for. No two batches that run at the same time share one. */
  readonly actorOf: (item: T) => string;
  /** Settles every item of the batch; never rejects. */
  readonly run: (batch: readonly T[]) => Promise<void>;
  /** Batches that may run at the same time. */
  readonly parallel: number;
}

/** Larger batches gain little and hold locks longer. */
const MAX_BATCH = 512;
/**
 * Another batch starts alongside a running one only for this many items. With fewer, one
 * transaction for all of them costs less than the overlap gains.
 */
const WORTH_ANOTHER_BATCH = 128;

/**
 * Group commit: while one batch commits, the next one fills, so an idle engine commits a single
 * command immediately and a busy one pays one disk flush for hundreds. When very many wait, several
 * batches run at the same time: while one waits for its commit, another is folded. Items of one
 * actor are run in the order in which they were added.
 */
export function createBatchQueue<T>({ actorOf, run, parallel }: BatchQueueOptions<T>): BatchQueue<T> {
  let waiting: T[] = [];
  let isStarting = false;
  /** Number of waiting items from which another concurrent batch may be worth it. */
  let worthwhileAt = WORTH_ANOTHER_BATCH;
  /** Actors of the running batches. */
  const busy = new Set<string>();
  const running = new Map<Promise<void>, number>();

  /** Items added in the same turn of the event loop share a batch. */
  function startSoon(): void {
    if (isStarting) return;
    isStarting = true;
    // Outside the caller's request context, so that it does not leak into the batch.
    void runInContext(null, async () => {
      await Promise.resolve();
      isStarting = false;
      startBatches();
    });
  }

  function startBatches(): void {
    while (running.size < parallel && waiting.length >= (running.size === 0 ? 1 : worthwhileAt)) {
      const eligible = waiting.reduce((count, item) => count + (busy.has(actorOf(item)) ? 0 : 1), 0);
      if (running.size > 0 && eligible < WORTH_ANOTHER_BATCH) {
        // Until a batch ends, only further items can change this.
        worthwhileAt = waiting.length + WORTH_ANOTHER_BATCH - eligible;
        return;
      }
      const batch = take(eligible);
      const ended = run(batch).then(() => {
        running.delete(ended);
        for (const item of batch) busy.delete(actorOf(item));
        worthwhileAt = WORTH_ANOTHER_BATCH;
        startBatches();
      });
      running.set(ended, performance.now());
    }
  }

  /** What may run now is divided evenly among the batches that it is worth. */
  function take(eligible: number): T[] {
    const batches = Math.min(parallel - running.size, Math.max(Math.floor(eligible / WORTH_ANOTHER_BATCH), 1));
    const most = Math.min(Math.ceil(eligible / batches), MAX_BATCH);
    const batch: T[] = [];
    const left: T[] = [];
    for (const item of waiting) (batch.length < most && !busy.has(actorOf(item)) ? batch : left).push(item);
    for (const item of batch) busy.add(actorOf(item));
    waiting = left;
    return batch;
  }

  return {
    add(item) {
      waiting.push(item);
      startSoon();
    },
    get waiting() {
      return waiting.length;
    },
    oldestRunningMs() {
      const [since] = running.values();
      return since === undefined ? null : performance.now() - since;
    },
    async drained() {
      while (waiting.length > 0 || running.size > 0) await (running.size > 0 ? Promise.race(running.keys()) : null);
    },
  };
}
