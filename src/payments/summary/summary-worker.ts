import { MINUTE_MS } from '../../../machines/index.ts';
import { messageOf } from '../../errors.ts';
import { type SummaryDeps, sendSummaries } from './send-summaries.ts';

export interface SummaryWorker {
  start(): void;
  stop(): Promise<void>;
}

const CHECK_EVERY_MS = 5 * MINUTE_MS;

/** Sends the daily summaries that are due. Any number of processes may run one. */
export function createSummaryWorker({
  checkEveryMs = CHECK_EVERY_MS,
  ...deps
}: SummaryDeps & { checkEveryMs?: number }): SummaryWorker {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | null = null;
  let isAway = false;

  async function send(): Promise<void> {
    try {
      await sendSummaries(deps, stopping.signal);
      isAway = false;
    } catch (error) {
      if (!isAway) deps.log.error({ reason: messageOf(error) }, 'daily summaries cannot be sent; trying again');
      isAway = true;
    }
    schedule(checkEveryMs);
  }

  function schedule(delayMs: number): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      sending = send();
    }, delayMs);
  }

  return {
    start: () => schedule(0),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await sending;
    },
  };
}
