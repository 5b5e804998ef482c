import type { Span, Tracer } from '../tracer.ts';
import type { Command, Settled } from './command.ts';

/** The span of one command, from its hand-in to the commit that it shares with others. */
export interface CommandSpan {
  /** The batch it is in begins: until now it waited for the one before. */
  taken(batchSize: number): void;
  /** Its batch has ended. */
  settled(settled: Settled): void;
}

/** Runs a command inside of a span. What it causes is caused by this span. */
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

/** Whose actor a command was for, if its kind tells. */
export function merchantOf(settled: Settled): string | null {
  if ('refusal' in settled || settled.actor === undefined) return null;
  const { kind, snapshot } = settled.actor;
  // The context is that of the kind's own chart, whose type was erased by `defineKind`.
  return kind.merchantOf?.(snapshot.context as never) ?? null;
}

// Helpers

function measured(span: Span): CommandSpan {
  const handedInAt = performance.now();
  let takenAt = handedInAt;
  return {
    taken(batchSize) {
      takenAt = performance.now();
      span.set({ 'quittance.batch.size': batchSize, 'quittance.batch.wait_ms': rounded(takenAt - handedInAt) });
    },
    settled(settled) {
      span.set({ 'quittance.batch.commit_ms': rounded(performance.now() - takenAt) });
      // A refusal rejects, which tells by itself.
      if ('refusal' in settled) return;
      const { outcome } = settled.outcome;
      span.set({
        'quittance.event.outcome': outcome,
        'quittance.actor.kind': settled.actor?.kind.name,
        'quittance.actor.state': settled.actor?.state,
        'quittance.merchant.id': merchantOf(settled),
      });
      if (outcome === 'failed') span.fail('SET_ASIDE');
    },
  };
}

/** Microseconds are enough. */
function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
