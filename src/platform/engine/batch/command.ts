import type { Span, Tracer } from '../../tracer.ts';
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

export interface Placed<C extends Command> {
  readonly command: C;
  readonly index: number;
}

/** Result of one command: the outcome for its caller, or the error to reject with. */
export type CommandResult =
  | { readonly outcome: EventOutcome | StaleOutcome | StartOutcome; readonly actor?: LiveActor | undefined }
  | { readonly rejection: Error };

export interface JournaledStep {
  readonly kind: ActorKind;
  readonly step: Step;
  /** Request context of its command. */
  readonly trace?: string | null;
  /** The event arrived after its actor had finished. */
  readonly isMissed?: boolean;
}

/** The span of one command, from submission to the commit it shares with others. */
export interface CommandSpan {
  /** Its batch starts; until now it waited for the previous one. */
  batchStarted(batchSize: number): void;
  /** Its batch has finished. */
  settled(result: CommandResult): void;
}

/** Runs a command in a span; everything it causes is a child of that span. */
export function spanOfCommand<T>(tracer: Tracer, command: Command, run: (span: CommandSpan) => Promise<T>): Promise<T> {
  const { actorId } = command;
  const isEvent = command.type === 'event';
  const attributes = {
    'quittance.actor.id': actorId,
    'quittance.actor.kind': isEvent ? null : command.kind,
    'quittance.event.type': isEvent ? command.event.type : 'actor.started',
    'quittance.event.id': isEvent ? command.eventId : null,
  };
  return tracer.span(isEvent ? 'engine deliver' : 'engine start', { kind: 'internal', attributes }, (span) =>
    run(measured(span)),
  );
}

/** The merchant whose actor the command was for; null when the kind does not provide it. */
export function merchantOf(result: CommandResult): string | null {
  if ('rejection' in result || result.actor === undefined) return null;
  const { kind, snapshot } = result.actor;
  // The context belongs to the kind's own chart; `defineKind` erased its type.
  return kind.merchantOf?.(snapshot.context as never) ?? null;
}

// Helpers

function measured(span: Span): CommandSpan {
  const submittedAt = performance.now();
  let startedAt = submittedAt;
  return {
    batchStarted(batchSize) {
      startedAt = performance.now();
      span.set({ 'quittance.batch.size': batchSize, 'quittance.batch.wait_ms': rounded(startedAt - submittedAt) });
    },
    settled(result) {
      span.set({ 'quittance.batch.commit_ms': rounded(performance.now() - startedAt) });
      // A refusal rejects and so marks the span as failed.
      if ('rejection' in result) return;
      const { outcome } = result.outcome;
      span.set({
        'quittance.event.outcome': outcome,
        'quittance.actor.kind': result.actor?.kind.name,
        'quittance.actor.state': result.actor?.state,
        'quittance.merchant.id': merchantOf(result),
      });
      if (outcome === 'failed') span.fail('EVENT_FAILED');
    },
  };
}

/** Rounded to microseconds. */
function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
