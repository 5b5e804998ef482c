import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { type AdvanceDeps, advanceRun } from './advance-run.ts';

export interface RunWorkerDeps extends AdvanceDeps {
  readonly log: Log;
  readonly pollEveryMs?: number;
}

export interface RunWorker {
  start(): void;
  /** Resolves when the current batch is done. Other processes continue the rest. */
  stop(): Promise<void>;
}

/** Longest delay before a started run begins. */
const POLL_EVERY_MS = 2_000;

/**
 * Performs the runs that operators have started, one batch of each in turn. Any number
 * of processes may run one.
 */
export function createRunWorker(deps: RunWorkerDeps): RunWorker {
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | null = null;
  let isStopped = false;
  let isFailing = false;

  async function work(): Promise<void> {
    try {
      while (!isStopped && (await advanceRun(deps)));
      isFailing = false;
    } catch (error) {
      if (!isFailing) deps.log.error({ reason: messageOf(error) }, 'a run of operators is interrupted; trying again');
      isFailing = true;
    }
  }

  function schedule(delayMs: number): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      working = work().finally(() => {
        working = null;
        schedule(deps.pollEveryMs ?? POLL_EVERY_MS);
      });
    }, delayMs);
  }

  return {
    start: () => schedule(0),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}
