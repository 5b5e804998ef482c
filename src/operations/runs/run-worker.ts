import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../platform/poll-loop.ts';
import { type AdvanceDeps, advanceRun } from './advance-run.ts';

export interface RunWorkerDeps extends AdvanceDeps {
  readonly log: Log;
  readonly pollEveryMs?: number;
}

/** Longest delay before a started run begins. */
const POLL_EVERY_MS = 2_000;

/**
 * Performs the runs that operators have started, one batch of each in turn. Any number of processes
 * may run one; others continue the work of a stopped one.
 */
export function createRunWorker(deps: RunWorkerDeps): PollLoop {
  return createPollLoop({
    async work(stopping) {
      while (!stopping.aborted && (await advanceRun(deps)));
    },
    everyMs: deps.pollEveryMs ?? POLL_EVERY_MS,
    onFailure: (error) => deps.log.error({ reason: messageOf(error) }, 'a bulk run was interrupted; retrying'),
  });
}
