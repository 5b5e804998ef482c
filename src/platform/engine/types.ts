import type { Transaction } from 'kysely';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { UnixMs } from '../../../machines/index.ts';
import type { BusMessage } from '../bus/index.ts';
import type { Database, StoredSnapshot } from '../db/index.ts';
import type { Stepper } from './stepper.ts';

// `DESIGN.md` explains the words.

export interface ActorEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Delivers an event to an actor. The engine stamps `at`. */
export interface EventCommand {
  readonly actorId: string;
  readonly eventId: string;
  readonly event: ActorEvent;
  /** Topic of a pending observation; see `publishObservations`. */
  readonly topic?: string | undefined;
  /**
   * Starts the actor, of a kind without `prepare`, when there is none. The event follows its start
   * in the same batch, unless the input has already brought the actor to its end.
   */
  readonly start?: Pick<StartCommand, 'kind' | 'input' | 'attachment'> | undefined;
}

/** Starts an actor. The engine adds `createdAt` to the input. */
export interface StartCommand {
  readonly kind: string;
  readonly actorId: string;
  /** Starting again with the same key returns the first actor. */
  readonly startKey: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  /** Data for the projection that the chart does not need. Not journaled. */
  readonly attachment?: unknown;
}

/** An event that is accepted only if no later step has changed the actor. */
export interface ConditionalCommand extends EventCommand {
  /** Sequence of the step the caller has seen: the last one, or the last that changed the actor. */
  readonly expectedSequence: number;
}

/** `stale`: another step came first; nothing was changed or journaled. */
export interface StaleOutcome {
  readonly outcome: 'stale';
  readonly state: string;
}

export interface EventOutcome {
  /**
   * `applied`: state or context changed, or effects were requested. `ignored`: nothing changed, or
   * the actor has finished. `duplicate`: this event id was accepted before. `failed`: the event was
   * dead-lettered.
   */
  readonly outcome: 'applied' | 'ignored' | 'duplicate' | 'failed' | 'unknown_actor';
  readonly state: string | null;
  /** The start included in the event has started the actor. */
  readonly hasStarted?: true;
}

export type StartOutcome =
  /** `step` is the committed step, so that the caller need not read it back. */
  | { readonly outcome: 'started'; readonly actorId: string; readonly step: Step }
  /** An actor with this id or start key existed already. */
  | { readonly outcome: 'exists'; readonly actorId: string };

export type Snapshot = AnyMachineSnapshot;

export interface Effect {
  readonly type: string;
  readonly params: unknown;
}

export interface Step<TContext = unknown> {
  readonly actorId: string;
  readonly sequence: number;
  /** By the actor's own clock. */
  readonly at: UnixMs;
  /**
   * `at` without the actor's clock offset, for lists and logs of many actors. The journal stores
   * only `at`, so both are equal in steps folded from it.
   */
  readonly wallAt: UnixMs;
  readonly eventId: string;
  readonly event: ActorEvent;
  readonly outcome: 'started' | 'applied' | 'ignored' | 'failed';
  /** Active leaf state after the event. */
  readonly state: string;
  readonly context: TContext;
  readonly effects: readonly Effect[];
  readonly attachment: unknown;
  readonly error: string | null;
}

export type Consequence =
  /** Fires at `dueAt` in the actor's time; with a gate, once that watermark has passed `dueAt`. */
  | { readonly kind: 'timer'; readonly name: string; readonly dueAt: UnixMs; readonly gate: string | null }
  /** Fires once the height of the watermark `gate` is at least `height`. */
  | { readonly kind: 'heightTimer'; readonly name: string; readonly gate: string; readonly height: number }
  | { readonly kind: 'cancelTimer'; readonly name: string }
  /** Published through the outbox. Messages with the same key share a partition. */
  | { readonly kind: 'message'; readonly queue: string; readonly key: string; readonly data: unknown };

/** A start to be completed by `prepare` inside the transaction. */
export interface StartDraft {
  readonly actorId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly attachment: unknown;
}

/** A completed input, or the error of this one start. */
export type PreparedInput = { readonly input: Readonly<Record<string, unknown>> } | { readonly rejection: Error };

export interface MappedSnapshot {
  readonly value: unknown;
  readonly context: unknown;
  readonly effects?: readonly Effect[];
}

/** A chart the engine can run. Create it with `defineKind`, which types the handlers. */
export interface ActorKind {
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly version: string;
  readonly stepper: Stepper;
  readonly effects: Readonly<Record<string, (params: never, step: Step<never>) => readonly Consequence[]>>;
  /** Completes inputs inside the transaction, set-based. Returns one result per draft, in order. */
  readonly prepare?: (trx: Transaction<Database>, drafts: readonly StartDraft[]) => Promise<readonly PreparedInput[]>;
  /** The actor's merchant, for logs and traces only; null when unknown. */
  readonly merchantOf?: (context: never) => string | null;
  /**
   * Migrations from older versions, by version: the new snapshot and the effects to request.
   * Without an entry, the journal is folded with this chart instead. Pure, like the chart.
   */
  readonly migrate?: Readonly<Record<string, (snapshot: StoredSnapshot) => MappedSnapshot>>;
  /**
   * Writes the read model inside the transaction, set-based. Receives every step that changed
   * something, in order. May return hints, to be published after the commit.
   */
  readonly project?: (trx: Transaction<Database>, steps: readonly Step<never>[]) => Promise<readonly Hint[] | void>;
  /**
   * Receives events that arrived after their actors had finished and changed nothing, in order,
   * after `project`.
   */
  readonly recordMissed?: (trx: Transaction<Database>, steps: readonly Step<never>[]) => Promise<void>;
}

export interface OutgoingMessage extends BusMessage {
  /** See `Hint`. */
  readonly isHint?: true;
}

/**
 * A message without a row in the outbox, for work that other rows of the commit already request.
 * Published once: the feature itself must find the work whose hint was lost.
 */
export interface Hint extends OutgoingMessage {
  readonly isHint: true;
  /** The actor whose step causes it: the hint gets the request context of that step. */
  readonly actorId: string;
}
