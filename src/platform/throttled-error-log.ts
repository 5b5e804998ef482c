import type { UnixMs } from '../../machines/index.ts';
import type { Clock } from './clock.ts';
import { messageOf, RetryableError } from './errors.ts';
import type { Log } from './log.ts';

/** A throttled error log for an outage: a few lines, however many requests fail. */
export interface ThrottledErrorLog {
  /** Runs `work`; logs a `RetryableError` at most once per `QUIET_MS` and code, and rethrows it. */
  watch<T>(work: () => Promise<T>): Promise<T>;
  /** Logs an error as `watch` does, for error handlers; ignores all but a `RetryableError`. */
  report(error: unknown): void;
}

/**
 * After a line about one error code, further failures with that code are only counted for this
 * long.
 */
export const QUIET_MS = 30_000;

/**
 * Logs the first failure of each error code immediately, then at most one line per `QUIET_MS` with
 * the number of failures in between, so that an outage does not flood the log.
 */
export function createThrottledErrorLog({ log, clock }: { log: Pick<Log, 'warn'>; clock: Clock }): ThrottledErrorLog {
  const causes = new Map<string, { quietUntil: UnixMs; suppressed: number }>();

  function report(error: unknown): void {
    if (!(error instanceof RetryableError)) return;
    const now = clock.now();
    const cause = causes.get(error.code);
    if (cause !== undefined && now < cause.quietUntil) {
      cause.suppressed += 1;
      return;
    }
    log.warn(
      { code: error.code, reason: messageOf(error), suppressed: cause?.suppressed ?? 0 },
      'requests cannot be served',
    );
    causes.set(error.code, { quietUntil: now + QUIET_MS, suppressed: 0 });
  }

  return {
    report,
    async watch(work) {
      try {
        return await work();
      } catch (error) {
        report(error);
        throw error;
      }
    },
  };
}
