import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/index.ts';
import { addConsequences, type Consequences, consequencesOf } from '../consequences.ts';
import type { Crash } from '../crash-points.ts';
import type { LiveActor } from '../fold.ts';
import type { EngineObserver } from '../observer.ts';
import type { DeadLetter } from '../sql/dead-letters.ts';
import type { ActorKind, Step } from '../types.ts';
import type { KindRegistry } from '../versions/kind-registry.ts';
import type { Command, CommandResult, JournaledStep } from './command.ts';

export interface BatchDeps {
  readonly db: Kysely<Database>;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly crash: Crash;
  readonly observer?: EngineObserver | undefined;
}

/** Why an event could not be written in the previous run. */
export interface Poison {
  readonly reason: string;
  /** A transient error of the database server: the dead letter is redelivered automatically. */
  readonly isTransient: boolean;
}

/** A batch in memory; nothing is written before `writeAll`. */
export interface BatchState extends BatchDeps {
  readonly trx: Transaction<Database>;
  readonly commands: readonly Command[];
  /** By index of the command. */
  readonly results: CommandResult[];
  readonly actors: Map<string, LiveActor>;
  readonly steps: JournaledStep[];
  readonly consequences: Consequences;
  readonly deadLetters: DeadLetter[];
}

/**
 * Adds a step and its consequences to the batch, with the request context `trace`. Throws what an
 * effect handler throws, and then adds nothing.
 */
export function record(batch: BatchState, kind: ActorKind, step: Step, trace: string | null = null): void {
  const requested = consequencesOf(kind, step, trace);
  addConsequences(batch.consequences, requested);
  batch.steps.push({ kind, step, trace });
}
