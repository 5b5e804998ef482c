import type { Transaction } from 'kysely';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { UnixMs } from '../../machines/index.ts';
import type { Database, StoredSnapshot } from '../db/index.ts';
import type { Stepper } from './stepper.ts';

/**
 * Words of the engine.
 *
 * - actor: one running statechart with an id; its snapshot is a row
 * - kind: the chart an actor runs plus what its effects mean
 * - event: something that happened, with an id unique per actor; accepted at most once
 * - step: one accepted event with the snapshot after it and the effects it asked for
 * - consequence: what an effect turns into: a timer or an outgoing message
 */

export interface ActorEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Deliver this event to this actor. The engine stamps `at`. */
export interface EventCommand {
  readonly actorId: string;
  readonly eventId: string;
  readonly event: ActorEvent;
  /** What an announced event tells about; see `announce`. */
  readonly topic?: string | undefined;
}

/** Start an actor. The engine stamps `createdAt` onto the input. */
export interface StartCommand {
  readonly kind: string;
  readonly actorId: string;
  /** Starting again with the same key gives the first actor back. */
  readonly startKey: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  /** Facts for the projection that the chart does not need. Not journaled. */
  readonly attachment?: unknown;
}

/** An event that is taken only if no step has changed the actor since its journal had this many entries. */
export interface ConditionalCommand extends EventCommand {
  /** Sequence of the step the sender has seen: the last one, or the last that changed the actor. */
  readonly expectedSequence: number;
}

/** `stale`: something else came first; nothing was changed and nothing journaled. */
export interface StaleOutcome {
  readonly outcome: 'stale';
  readonly state: string;
}

export interface EventOutcome {
  /**
   * `applied`: a transition was taken. `ignored`: the actor does not react to it now, or is done.
   * `duplicate`: this event id was accepted before. `failed`: it was set aside as poison.
   */
  readonly outcome: 'applied' | 'ignored' | 'duplicate' | 'failed' | 'unknown_actor';
  readonly state: string | null;
}

export type StartOutcome =
  /** `step` is what was committed, so that the caller need not read it back. */
  | { readonly outcome: 'started'; readonly actorId: string; readonly step: Step }
  /** An actor with this id or start key was there before. */
  | { readonly outcome: 'exists'; readonly actorId: string };

export type Snapshot = AnyMachineSnapshot;

export interface Effect {
  readonly type: string;
  readonly params: unknown;
}

export interface Step<TContext = unknown> {
  readonly actorId: string;
  readonly sequence: number;
  readonly at: UnixMs;
  readonly eventId: string;
  readonly event: ActorEvent;
  readonly outcome: 'started' | 'applied' | 'ignored' | 'failed';
  /** Leaf after the event. */
  readonly state: string;
  readonly context: TContext;
  readonly effects: readonly Effect[];
  readonly attachment: unknown;
  readonly error: string | null;
}

export type Consequence =
  /** Fires at `dueAt` in the actor's time; with a gate, once that watermark has passed it. */
  | { readonly kind: 'timer'; readonly name: string; readonly dueAt: UnixMs; readonly gate: string | null }
  /** Fires once the watermark `gate` has `height`. */
  | { readonly kind: 'heightTimer'; readonly name: string; readonly gate: string; readonly height: number }
  | { readonly kind: 'cancelTimer'; readonly name: string }
  /** Leaves through the outbox. Messages of one key stay in order. */
  | { readonly kind: 'message'; readonly queue: string; readonly key: string; readonly data: unknown };

/** A start on its way, to be completed by `prepare` inside the transaction. */
export interface StartDraft {
  readonly actorId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly attachment: unknown;
}

/** A completed input, or why this one start cannot be. */
export type PreparedInput = { readonly input: Readonly<Record<string, unknown>> } | { readonly refusal: Error };

export interface MappedSnapshot {
  readonly value: unknown;
  readonly context: unknown;
  readonly effects?: readonly Effect[];
}

/** A chart the engine can run. Build it with `defineKind`, which types the handlers. */
export interface ActorKind {
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly version: string;
  readonly stepper: Stepper;
  readonly effects: Readonly<Record<string, (params: never, step: Step<never>) => readonly Consequence[]>>;
  /** Completes inputs inside the transaction, set-based. Same order and length as the drafts. */
  readonly prepare?: (trx: Transaction<Database>, drafts: readonly StartDraft[]) => Promise<readonly PreparedInput[]>;
  /** Whose actor it is, for logs and traces alone; null when that is not known. */
  readonly merchantOf?: (context: never) => string | null;
  /**
   * How actors of an older version are moved to this one, by that version: what their snapshots become, and the effects this asks
   * for. Without it, their journals are folded with this chart. Pure, like the chart.
   */
  readonly migrate?: Readonly<Record<string, (snapshot: StoredSnapshot) => MappedSnapshot>>;
  /** Writes what others read, inside the transaction, set-based. Gets every step that changed something, in order. */
  readonly project?: (trx: Transaction<Database>, steps: readonly Step<never>[]) => Promise<void>;
  /**
   * Gets the events that came after the end of their actors and changed nothing, in order, after
   * `project`.
   */
  readonly recordMissed?: (trx: Transaction<Database>, steps: readonly Step<never>[]) => Promise<void>;
}

export interface OutgoingMessage {
  readonly id: string;
  readonly queue: string;
  readonly partition: number;
  readonly data: unknown;
  /** On whose behalf it is sent; see `BusMessage`. */
  readonly trace?: string | null;
}
