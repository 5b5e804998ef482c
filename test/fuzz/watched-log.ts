import { createLogger, type Log } from '../../src/platform/log.ts';

/**
 * The service's own log at its lowest level; every line is searched for secrets as it is written.
 */
export interface WatchedLog {
  readonly log: Log;
  /** From now on a line that contains one of these is a leak. */
  watchFor(secrets: Iterable<string>): void;
  readonly lines: number;
  /** Lines that contained a secret, an email address or an extended key. */
  readonly leaks: readonly string[];
}

const EMAIL_OR_EXTENDED_KEY = /\w@\w[\w-]*\.\w|\b[a-zA-Z]{1,2}(?:pub|prv)[1-9A-HJ-NP-Za-km-z]{80,}/;

export function createWatchedLog(): WatchedLog {
  const secrets = new Set<string>();
  const leaks: string[] = [];
  let lines = 0;
  const destination = {
    write(line: string) {
      lines += 1;
      const leaked = EMAIL_OR_EXTENDED_KEY.test(line) || [...secrets].some((secret) => line.includes(secret));
      if (leaked) leaks.push(line);
    },
  };
  return {
    log: createLogger({ level: 'trace', destination }),
    watchFor(more) {
      for (const secret of more) secrets.add(secret);
    },
    get lines() {
      return lines;
    },
    leaks,
  };
}
