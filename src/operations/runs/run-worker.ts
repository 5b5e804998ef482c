import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type AdvanceDeps, advanceRun } from './advance-run.ts';

export interface RunWorkerDeps extends AdvanceDeps {
  readonly log: Log;
  readonly pollEveryMs?: number;
}

export interface RunWorker {
  start(): void;
  /** Resolves when the batch under way is over. What is left is taken up by whoever runs next. */
  stop(): Promise<void>;
}

/** An operator who has started a run waits so long at most for it to begin. */
const POLL_EVERY_MS = 2_000;

/** Works through the runs that operators have started, a batch of each in turn. Any number of processes may run one. */
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
