import type { Command, JournaledStep, Settled } from './command.ts';

/**
 * Told how the engine fares, in the middle of its work: whoever listens must be quick, and what it throws is its own
 * misfortune. Nothing here decides anything.
 */
export interface EngineObserver {
  /** A batch is over: committed, or refused as a whole or in part. */
  batchEnded(batch: ObservedBatch): void;
  /**
   * A batch did not go through and is run again: as it was after a conflict or an error of the
   * server, or in halves to find the bad command.
   */
  batchRepeated(reason: 'conflict' | 'transient' | 'halved'): void;
}

export interface ObservedBatch {
  readonly commands: readonly Pick<Command, 'type'>[];
  /** By place of the command. */
  readonly settled: readonly Settled[];
  /** What was journaled. */
  readonly steps: readonly JournaledStep[];
  /** From its first statement to its commit, repetitions included. */
  readonly durationMs: number;
}

/** What the engine is at right now. */
export interface EngineLoad {
  /** Commands that no batch has taken up yet. */
  readonly waiting: number;
  /** How long the present batch has lasted; null without one. */
  readonly batchForMs: number | null;
}

/** Told what becomes of messages on their way out of the outbox. */
export interface RelayObserver {
  /** `refused`: for good, a dead letter. `unreachable`: the message stays in the outbox. */
  published(message: { queue: string; outcome: 'published' | 'refused' | 'unreachable'; durationMs: number }): void;
}

/** Told of timers. */
export interface TimerObserver {
  /**
   * A due timer was taken up. `lateMs` is how long after it was due by the clock, null for one that waited for a height.
   * With `waitsFor: 'chain'` that includes the time until the network was seen to have passed the moment.
   */
  taken(timer: { waitsFor: 'clock' | 'chain'; lateMs: number | null }): void;
  /** Its event could not be published; it comes again. */
  publishFailed(): void;
}
