import type { Command, CommandResult, JournaledStep } from './batch/command.ts';

/**
 * Observes the engine. Called synchronously between batches: it must be fast. An error thrown by
 * `batchEnded` is logged and ignored; `batchRepeated` must not throw.
 */
export interface EngineObserver {
  /** A batch has finished: committed, or rejected in whole or in part. */
  batchEnded(batch: ObservedBatch): void;
  /**
   * A batch failed and is rerun: unchanged after a conflict or a transient server error, or split
   * in half to find the bad command.
   */
  batchRepeated(reason: 'conflict' | 'transient' | 'halved'): void;
}

export interface ObservedBatch {
  readonly commands: readonly Pick<Command, 'type'>[];
  /** By index of the command. */
  readonly results: readonly CommandResult[];
  readonly steps: readonly JournaledStep[];
  /** From its first statement to its commit, reruns included. */
  readonly durationMs: number;
}

/** Current load of the engine. */
export interface EngineLoad {
  /** Commands not yet in a batch. */
  readonly waiting: number;
  /** How long the oldest running batch has been running; null when idle. */
  readonly batchForMs: number | null;
}

/** Observes messages published from the outbox. */
export interface RelayObserver {
  /**
   * `rejected`: permanently, becomes a dead letter. `unreachable`: the message stays in the outbox.
   */
  published(message: { queue: string; outcome: 'published' | 'rejected' | 'unreachable'; durationMs: number }): void;
}

export interface TimerObserver {
  /**
   * A due timer was leased. `lateMs` is the time since it was due by the clock, null for a height
   * timer. With `waitsFor: 'chain'` it includes the time until the watermark passed the due time.
   */
  leased(timer: { waitsFor: 'clock' | 'chain'; lateMs: number | null }): void;
  /** Its event could not be published; it is retried. */
  publishFailed(): void;
}
