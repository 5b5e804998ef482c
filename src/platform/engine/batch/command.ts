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
 * `trace` is the caller's request context (see `requestContext`): a batch holds commands of many
 * callers.
 */
export type Command = { readonly trace?: string | null } & (
  | ({ readonly type: 'event' } & (EventCommand | ConditionalCommand))
  | ({ readonly type: 'start' } & StartCommand)
);

/** Result of one command: the outcome for its caller, or the error to reject with. */
export type Settled =
  | { readonly outcome: EventOutcome | StaleOutcome | StartOutcome; readonly actor?: LiveActor | undefined }
  | { readonly refusal: Error };

/** A step with the kind of its actor. */
export interface JournaledStep {
  readonly kind: ActorKind;
  readonly step: Step;
  /** Request context of its command. */
  readonly trace?: string | null;
  /** The event arrived after its actor had finished. */
  readonly isMissed?: boolean;
}
