import { describe } from 'vitest';
import { level } from './level.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Why a suite was skipped and the remedy; printed by the closing-line reporter. */
    skipped?: SkipReason;
  }
}

export interface SkipReason {
  /** What is missing, as a clause: `litecoind is not installed`. */
  readonly missing: string;
  /** The remedy, as a command or an instruction: `apt-get install litecoind`. */
  readonly remedy: string;
}

/** `describe` of a suite that may be skipped for a stated reason. */
export type DescribeSuite = (name: string, body: () => void | Promise<void>) => void;

/**
 * A `describe` for suites that need something from the machine. When `isAvailable` is false the
 * suite is skipped, and `npm test` prints what was missing and the remedy; with `CI_NO_SKIP=1` that
 * skip fails the run.
 *
 *     const describeReadable = requireOrSkip(isReadable, 'the file is unreadable', 'chmod +r');
 *     describeReadable('what is in the file', () => { … });
 */
export function requireOrSkip(isAvailable: boolean, missing: string, remedy: string): DescribeSuite {
  if (isAvailable) return (name, body) => void describe(name, body);
  return (name, body) => void describe.skip(name, { meta: { skipped: { missing, remedy } } }, body);
}

/** A suite of the full level only, in a file that also has tests for the quick level. */
export const describeFull: DescribeSuite = (name, body) => {
  if (level.isFull) describe(name, body);
};
