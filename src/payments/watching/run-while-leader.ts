import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { settledWithin } from '../../platform/within.ts';
import type { ChainLease } from './chain-lease.ts';

/** A task that only the holder of a lease runs (leader task). */
export interface LeaderTask {
  start(): Promise<void>;
  /** Resolves when all work has stopped. */
  stop(): Promise<void>;
}

export interface Leader {
  /** Stops the task, then releases the lease; within seconds, even if either hangs. */
  stop(): Promise<void>;
}

export interface LeaderDeps {
  readonly lease: ChainLease;
  readonly network: string;
  /** Between two renewals, or attempts of a standby. Well below the usable share of the lease. */
  readonly renewEveryMs: number;
  /** Called each time the lease is acquired: state from an earlier lease may be stale. */
  readonly createTask: () => LeaderTask;
  readonly log: Log;
}

/** A standby without a response for this long tries again. */
const TAKE_WITHIN_MS = 4_000;
/** A stop waits at most this long for an unresponsive database. */
const RELEASE_WITHIN_MS = 2_000;
/**
 * A stop waits at most this long for the task to end: a node may take a minute to respond. Another
 * process may acquire the lease by then, because late writes of the old task are rejected by its
 * epoch.
 */
const END_WITHIN_MS = 4_000;

/**
 * Keeps trying to hold a lease, and runs the task exactly while it holds it. Without a database the
 * task stops when the usable share of the lease is over; the first process to acquire it once the
 * database is back starts it again. Never rejects.
 */
export function runWhileLeader({ lease, network, renewEveryMs, createTask, log }: LeaderDeps): Leader {
  const stopping = new AbortController();
  const { signal } = stopping;
  let task: LeaderTask | null = null;
  let isLogged = false;

  async function begin(): Promise<void> {
    log.info({ network }, 'this process watches the network now');
    isLogged = false;
    let fresh: LeaderTask | null = null;
    try {
      fresh = createTask();
      task = fresh;
      await fresh.start();
    } catch (error) {
      log.error({ network, reason: messageOf(error) }, 'watching the network could not start; retrying');
      if (task !== fresh) return;
      await end();
      await lease.release().catch(() => undefined);
    }
  }

  /** Waits a few seconds for the task to stop, then continues without it. */
  async function end(): Promise<void> {
    const ending = task;
    task = null;
    if (ending === null) return;
    const hasEnded = ending.stop().catch((error: unknown) => {
      log.error({ network, reason: messageOf(error) }, 'watching the network did not stop cleanly');
    });
    await settledWithin([hasEnded], END_WITHIN_MS);
  }

  async function take(): Promise<boolean> {
    try {
      return await lease.take();
    } catch (error) {
      if (task === null && !isLogged) {
        isLogged = true;
        log.warn(
          { network, reason: messageOf(error) },
          'the lease to watch the network could not be acquired or renewed',
        );
      }
      return lease.remainingMs() > 0;
    }
  }

  /**
   * An unresponsive database must not keep a task running beyond its lease, a process from
   * stopping, or a standby from trying again.
   */
  function holdsLease(): Promise<boolean> {
    return unless(signal, take(), task === null ? TAKE_WITHIN_MS : lease.remainingMs());
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const isMine = await holdsLease();
      if (signal.aborted) break;
      // Do not wait longer for a slow start: without renewals the lease would expire.
      if (isMine && task === null) await settledWithin([begin()], renewEveryMs);
      if (!isMine && task !== null) {
        log.warn({ network }, 'the lease to watch the network was lost; another process may watch it');
        await end();
      }
      await sleep(task === null ? renewEveryMs : Math.min(renewEveryMs, lease.remainingMs()), undefined, {
        signal,
      }).catch(() => undefined);
    }
    await end();
    // If the database cannot be reached, the lease expires on its own.
    await settledWithin([lease.release()], RELEASE_WITHIN_MS);
  }

  const finished = run();
  return {
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}

// Helpers

/** The response, or false if the signal aborts or the time is over first. */
async function unless(signal: AbortSignal, response: Promise<boolean>, withinMs: number): Promise<boolean> {
  const done = new AbortController();
  const { signal: isDone } = done;
  const fallback = new Promise<false>((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { signal: isDone });
    void sleep(withinMs, undefined, { signal: isDone }).then(
      () => resolve(false),
      () => {},
    );
  });
  try {
    return await Promise.race([response, fallback]);
  } finally {
    done.abort();
  }
}
