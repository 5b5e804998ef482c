import type { LiveActor } from '../fold.ts';
import type {
  ActorKind,
  ConditionalCommand,
  EventCommand,
  EventOutcome,
  StaleOutcome,
  StartCommand,
  StartOutcome,
  Step,
} from '../types.ts';

/**
 * `trace` is the caller's request context (see `serializeContext`): a batch holds commands of many
 * callers.
 */
export type Command = TracedEvent | TracedStart;

interface Traced {
  readonly trace?: string | null;
}
export type TracedEvent = Traced & { readonly type: 'event' } & (EventCommand | ConditionalCommand);
export type TracedStart = Traced & { readonly type: 'start' } & StartCommand;

/** A command with its index in the batch. */
export interface Placed<C extends Command> {
  readonly command: C;
  readonly index: number;
}

/** Result of one command: the outcome for its caller, or the error to reject with. */
export type CommandResult =
  | { readonly outcome: EventOutcome | StaleOutcome | StartOutcome; readonly actor?: LiveActor | undefined }
  | { readonly rejection: Error };

/** A step with the kind of its actor. */
export interface JournaledStep {
  readonly kind: ActorKind;
  readonly step: Step;
  /** Request context of its command. */
  readonly trace?: string | null;
  /** The event arrived after its actor had finished. */
  readonly isMissed?: boolean;
}
