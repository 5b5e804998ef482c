import { userInfo } from 'node:os';
import type { RequestAuthor } from '../merchants/index.ts';
import { systemClock } from '../platform/clock.ts';

/** The author of a command in the audit log: the account that runs it. */
export function commandAuthor(): RequestAuthor {
  return { who: `command line, ${accountName()}`, now: systemClock.now() };
}

// Helpers

/** Falls back to the numeric user id when the account has no name, as in some containers. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `account ${process.getuid?.() ?? 'unknown'}`;
  }
}
