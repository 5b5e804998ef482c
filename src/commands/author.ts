import { userInfo } from 'node:os';
import { systemClock } from '../clock.ts';
import type { Asker } from '../merchants/index.ts';

/** Whoever runs the command, for the audit. */
export function commandAuthor(): Asker {
  return { who: `command line, ${accountName()}`, now: systemClock.now() };
}

// Helpers

/** An account without a name, as in some containers, has a number. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `account ${process.getuid?.() ?? 'unknown'}`;
  }
}
