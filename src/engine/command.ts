import type { LiveActor } from './fold.ts';
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

/** `trace` tells on whose behalf it is: a batch has commands of many callers. See `carriedWork`. */
export type Command = { readonly trace?: string | null } & (
  | ({ readonly type: 'event' } & (EventCommand | ConditionalCommand))
  | ({ readonly type: 'start' } & StartCommand)
);

/** What became of one command: an outcome for its caller, or the error it deserves. */
export type Settled =
  | { readonly outcome: EventOutcome | StaleOutcome | StartOutcome; readonly actor?: LiveActor | undefined }
  | { readonly refusal: Error };

/** One step with the kind of its actor. */
export interface JournaledStep {
  readonly kind: ActorKind;
  readonly step: Step;
  /** The event came after the end of its actor. */
  readonly isMissed?: boolean;
}
