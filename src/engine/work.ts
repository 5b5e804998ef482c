import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import type { Command, JournaledStep, Settled } from './command.ts';
import { addConsequences, type Consequences, consequencesOf } from './consequences.ts';
import type { Crash } from './crash-points.ts';
import type { LiveActor } from './fold.ts';
import type { KindRegistry } from './kinds.ts';
import type { EngineObserver } from './observer.ts';
import type { DeadLetter } from './sql/dead-letters.ts';
import type { ActorKind, Step } from './types.ts';

export interface BatchDeps {
  readonly db: Kysely<Database>;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly crash: Crash;
  readonly observer?: EngineObserver | undefined;
}

/** Why an event could not be written before. */
export interface Poison {
  readonly reason: string;
  /**
   * An error of the database server that may pass: what is set aside for it is delivered again by
   * itself.
   */
  readonly isTransient: boolean;
}

/** One batch while it folds: nothing of it is in the database before `writeAll`. */
export interface Work extends BatchDeps {
  readonly trx: Transaction<Database>;
  readonly commands: readonly Command[];
  /** By place of the command. */
  readonly settled: Settled[];
  readonly actors: Map<string, LiveActor>;
  readonly steps: JournaledStep[];
  readonly wanted: Consequences;
  readonly deadLetters: DeadLetter[];
}

/** Takes a step into the batch with all it asks for, on behalf of `trace`. Throws what an effect handler throws; nothing is taken then. */
export function record(work: Work, kind: ActorKind, step: Step, trace: string | null = null): void {
  const asked = consequencesOf(kind, step, trace);
  addConsequences(work.wanted, asked);
  work.steps.push({ kind, step });
}
