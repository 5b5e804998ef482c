import { MINUTE_MS } from '../../../machines/index.ts';
import { messageOf } from '../../errors.ts';
import { createPollLoop, type PollLoop } from '../../poll-loop.ts';
import { type SummaryDeps, sendSummaries } from './send-summaries.ts';

const CHECK_EVERY_MS = 5 * MINUTE_MS;

/** Sends the daily summaries that are due. Any number of processes may run one. */
export function createSummaryWorker({
  checkEveryMs = CHECK_EVERY_MS,
  ...deps
}: SummaryDeps & { checkEveryMs?: number }): PollLoop {
  return createPollLoop({
    work: (stopping) => sendSummaries(deps, stopping),
    everyMs: checkEveryMs,
    onFailure: (error) => deps.log.error({ reason: messageOf(error) }, 'daily summaries cannot be sent; trying again'),
  });
}
