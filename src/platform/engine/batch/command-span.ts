import type { Span, Tracer } from '../../tracer.ts';
import type { Command, CommandResult } from './command.ts';

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
