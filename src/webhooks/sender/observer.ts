import type { AttemptFailure } from '../../../machines/index.ts';

/** Notified of attempts and deferrals. Called in the send path: must be fast and must not throw. */
export interface SenderObserver {
  /** An attempt is finished. `outcome` is `delivered`, or the kind of failure. */
  attempted(attempt: { outcome: 'delivered' | AttemptFailure['kind']; durationMs: number }): void;
  /**
   * An attempt was deferred: its endpoint is held back, too many attempts are waiting, or the sender
   * is stopping.
   */
  deferred(): void;
}
