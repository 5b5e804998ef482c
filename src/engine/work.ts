import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { addConsequences, type Consequences, consequencesOf } from './consequences.ts';
import type { Crash } from './crash-points.ts';
import type { LiveActor } from './fold.ts';
import type { KindRegistry } from './kinds.ts';
import type { DeadLetter } from './sql/dead-letters.ts';
import type {
  ActorKind,
  ConditionalCommand,
  EventCommand,
  EventOutcome,
  StaleOutcome,
  StartCommand,
  StartOutcome,
  Step,
} from './types.ts';

export type Command =
  | ({ readonly type: 'event' } & (EventCommand | ConditionalCommand))
  | ({ readonly type: 'start' } & StartCommand);

/** What became of one command: an outcome for its caller, or the error it deserves. */
export type Settled = { readonly outcome: EventOutcome | StaleOutcome | StartOutcome } | { readonly refusal: Error };

export interface BatchDeps {
  readonly db: Kysely<Database>;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly crash: Crash;
}

/** One batch while it folds: nothing of it is in the database before `writeAll`. */
export interface Work extends BatchDeps {
  readonly trx: Transaction<Database>;
  readonly commands: readonly Command[];
  /** By place of the command. */
  readonly settled: Settled[];
  readonly actors: Map<string, LiveActor>;
  readonly steps: { readonly kind: ActorKind; readonly step: Step }[];
  readonly wanted: Consequences;
  readonly deadLetters: DeadLetter[];
}

/** Takes a step into the batch with all it asks for. Throws what an effect handler throws; nothing is taken then. */
export function record(work: Work, kind: ActorKind, step: Step): void {
  const asked = consequencesOf(kind, step);
  addConsequences(work.wanted, asked);
  work.steps.push({ kind, step });
}
