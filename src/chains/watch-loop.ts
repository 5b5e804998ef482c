import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, RetryableError } from '../platform/errors.ts';
import type { EventLog } from '../platform/log.ts';
import type { Observation, ObservationSink, OutputStatus, Watcher } from './port.ts';

/** Receives watcher metrics. Called synchronously by watchers: must be fast and must not throw. */
export interface WatchObserver {
  /** A poll has ended. `blocks` is the number of blocks by which the cursor advanced. */
  polled(poll: { network: string; hasFailed: boolean; durationMs: number; blocks: number }): void;
  /** The sink accepted an observation. */
  observed(finding: Pick<Observation, 'network'> & { status: OutputStatus['kind'] }): void;
}

/** Wraps `sink` so that `observer` is called for each observation the sink has accepted. */
export function observedSink(sink: ObservationSink, observer: WatchObserver | undefined): ObservationSink {
  if (observer === undefined) return sink;
  return async (observations, options) => {
    await sink(observations, options);
    for (const { network, status } of observations) observer.observed({ network, status: status.kind });
  };
}

export interface WatchLoopDeps {
  readonly watcher: Watcher;
  readonly log: EventLog;
  /** Pause between two polls; default `UTXO_POLL_MS`. */
  readonly pollMs?: number;
  /** Longest pause after repeated failures; default `MAX_BACKOFF_MS`. */
  readonly maxBackoffMs?: number;
  /** Shortest pause after a failure, even with `wake`; default `WAKE_FLOOR_MS`. */
  readonly wakeFloorMs?: number;
  readonly observer?: WatchObserver | undefined;
}

export interface WatchLoop {
  start(): void;
  /** Resolves when the poll in progress has ended; nothing is called afterwards. */
  stop(): Promise<void>;
  /**
   * Polls now instead of at the end of the pause. During a poll it triggers one more afterwards;
   * repeated calls coalesce. While polls fail it only shortens the pause to `wakeFloorMs`, so that
   * a failing node is not overloaded by its own notifications. No effect when the loop is stopped.
   */
  wake(): void;
}

export const UTXO_POLL_MS = 1_000;

/**
 * Polls until stopped. Failures never end the loop, because each may be fixed externally (node
 * down, wrong URL, broker down): the pause doubles up to `maxBackoffMs`. An outage is logged when
 * it begins, when its reason changes and when it ends.
 */
export function createWatchLoop(deps: WatchLoopDeps): WatchLoop {
  const { watcher, log } = deps;
  const pollMs = deps.pollMs ?? UTXO_POLL_MS;
  const maxBackoffMs = deps.maxBackoffMs ?? MAX_BACKOFF_MS;
  const wakeFloorMs = deps.wakeFloorMs ?? WAKE_FLOOR_MS;
  let stopping: AbortController | null = null;
  let wakeUp: AbortController | null = null;
  let finished: Promise<void> = Promise.resolve();
  let failures = 0;
  let loggedReason: string | null = null;

  async function pollOnce(): Promise<number> {
    const poll = observedPoll(deps);
    try {
      await watcher.step();
      poll.ended(false);
    } catch (error) {
      poll.ended(true);
      failures += 1;
      logOutage(error);
      const requested = error instanceof RetryableError ? error.retryAfterMs : 0;
      return Math.min(maxBackoffMs, Math.max(requested, pollMs * 2 ** Math.min(failures, 16)));
    }
    if (failures > 0) log.info({ network: watcher.network, failures }, 'polling succeeded again');
    failures = 0;
    loggedReason = null;
    return pollMs;
  }

  function logOutage(error: unknown): void {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
    if (reason === loggedReason) return;
    loggedReason = reason;
    log.error({ network: watcher.network, reason: messageOf(error) }, 'polling failed');
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Created before the poll, because the poll may miss what arrives while it runs.
      wakeUp = new AbortController();
      const pauseMs = await pollOnce();
      const floorMs = failures === 0 ? 0 : Math.min(wakeFloorMs, pauseMs);
      await pause(floorMs, signal);
      await pause(pauseMs - floorMs, wakeUp.signal);
    }
    wakeUp = null;
  }

  return {
    start() {
      if (stopping !== null) return;
      stopping = new AbortController();
      finished = run(stopping.signal);
    },
    async stop() {
      stopping?.abort();
      wakeUp?.abort();
      await finished;
      stopping = null;
    },
    wake: () => wakeUp?.abort(),
  };
}

// Helpers

const MAX_BACKOFF_MS = 30_000;
const WAKE_FLOOR_MS = 5_000;

/** Aborting ends the pause early without an error: the loop was stopped or woken. */
async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  if (durationMs > 0) await sleep(durationMs, undefined, { signal }).catch(() => undefined);
}

/** The cursor is unknown before a watcher's first poll, so that poll counts no blocks. */
function observedPoll({ watcher, observer }: WatchLoopDeps): { ended(hasFailed: boolean): void } {
  if (observer === undefined) return { ended: () => {} };
  const began = performance.now();
  const from = watcher.status().cursorHeight;
  return {
    ended(hasFailed) {
      const to = watcher.status().cursorHeight;
      const blocks = from === null || to === null ? 0 : Math.max(0, to - from);
      observer.polled({ network: watcher.network, hasFailed, durationMs: performance.now() - began, blocks });
    },
  };
}
