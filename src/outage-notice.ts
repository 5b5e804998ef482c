import type { UnixMs } from '../machines/index.ts';
import type { Clock } from './clock.ts';
import { RetryableError } from './errors.ts';
import type { Log } from './log.ts';

/** Tells of something that is away in a few lines, however many requests it fails. */
export interface OutageNotice {
  /** Runs the work; a `RetryableError` is told (or only counted) and passed on. */
  watch<T>(work: () => Promise<T>): Promise<T>;
}

/** After a line about one cause, further failures of that cause are only counted for this long. */
export const QUIET_MS = 30_000;

/**
 * Logs the first failure of each cause at once, then one line per `QUIET_MS` with how many there were meanwhile. A thousand
 * refused requests a second say no more than one line does, and bury everything else.
 */
export function createOutageNotice({ log, clock }: { log: Log; clock: Clock }): OutageNotice {
  const causes = new Map<string, { quietUntil: UnixMs; unsaid: number }>();

  function tell(error: RetryableError): void {
    const now = clock.now();
    const cause = causes.get(error.code);
    if (cause !== undefined && now < cause.quietUntil) {
      cause.unsaid += 1;
      return;
    }
    log.warn({ code: error.code, reason: error.message, unsaid: cause?.unsaid ?? 0 }, 'requests cannot be served now');
    causes.set(error.code, { quietUntil: now + QUIET_MS, unsaid: 0 });
  }

  return {
    async watch(work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof RetryableError) tell(error);
        throw error;
      }
    },
  };
}
