import type { AttemptFailure } from '../../../machines/index.ts';

/** Told of every attempt. Called in the middle of the work: quick, and it must not throw. */
export interface SenderObserver {
  /** An attempt is over. `outcome` is `delivered`, or why it failed. */
  attempted(attempt: { outcome: 'delivered' | AttemptFailure['kind']; durationMs: number }): void;
  /** An attempt was put off because its endpoint is held back. */
  deferred(): void;
}
