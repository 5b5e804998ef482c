import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { messageOf, RetryableError } from '../errors.ts';
import type { Log } from '../log.ts';
import { inWork, logFieldsOf, readRequestContext, requestContext } from '../request-context.ts';
import { noTracer, type Tracer } from '../tracer.ts';
import type { BatchResult, Command, Settled } from './batch.ts';
import { type CommandSpan, merchantOf, spanOfCommand } from './command-span.ts';
import { type Crash, neverCrash } from './crash-points.ts';
import { runIsolated } from './isolate.ts';
import type { KindRegistry } from './kinds.ts';
import type { EngineLoad, EngineObserver, ObservedBatch } from './observer.ts';
import type {
  ConditionalCommand,
  EventCommand,
  EventOutcome,
  OutgoingMessage,
  StaleOutcome,
  StartCommand,
  StartOutcome,
} from './types.ts';

export interface EngineDeps {
  readonly db: Kysely<Database>;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Called after each commit and not awaited: publishes the committed messages. `setsDueTimers`: a
   * timer was set that may already be due.
   */
  readonly onCommitted?: (messages: readonly OutgoingMessage[], setsDueTimers: boolean) => void;
  readonly crash?: Crash;
  /** Records a span per command; no tracing if omitted. */
  readonly tracer?: Tracer;
  readonly observer?: EngineObserver | undefined;
}

export interface Engine {
  /**
   * Delivers one event. Resolves after the commit that holds everything it caused. Rejects with
   * `RetryableError` when the database is unreachable or too many commands wait: then either
   * nothing was changed, or a retry with the same event id returns `duplicate`.
   */
  deliver(command: EventCommand): Promise<EventOutcome>;
  /**
   * Delivers one event unless another step has changed its actor first. Otherwise like `deliver`.
   */
  deliverIf(command: ConditionalCommand): Promise<EventOutcome | StaleOutcome>;
  /**
   * Starts one actor, with the same guarantees. Rejects with the error of `prepare` or of the
   * chart.
   */
  start(command: StartCommand): Promise<StartOutcome>;
  /** Resolves when every submitted command has settled. */
  drain(): Promise<void>;
  load(): EngineLoad;
}

/** Maximum number of commands per transaction. Larger batches gain little and hold locks longer. */
const MAX_BATCH_COMMANDS = 512;
/** Maximum number of waiting commands; beyond it callers get `ENGINE_BUSY`. */
const MAX_WAITING_COMMANDS = 20_000;

/**
 * Group commit: while one batch commits, the next one fills. An idle engine commits a single
 * command immediately; a busy one pays one disk flush for hundreds.
 */
export function createEngine(deps: EngineDeps): Engine {
  const { db, kinds, clock, observer } = deps;
  const batchDeps = { db, kinds, clock, observer, crash: deps.crash ?? neverCrash };
  const tracer = deps.tracer ?? noTracer;
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let batchSince: number | null = null;

  function submit(wanted: Command): Promise<Outcome> {
    if (!tracer.isOn) return enqueue({ ...wanted, trace: requestContext() }, null);
    return spanOfCommand(tracer, wanted, (span) => enqueue({ ...wanted, trace: requestContext() }, span));
  }

  function enqueue(command: Command, span: CommandSpan | null): Promise<Outcome> {
    if (waiting.length >= MAX_WAITING_COMMANDS) {
      return Promise.reject(new RetryableError('ENGINE_BUSY', 'Too many commands are waiting; try again shortly'));
    }
    return new Promise((resolve, reject) => {
      waiting.push({ command, span, resolve, reject });
      // Run outside the caller's request context, so that it does not leak into the batch.
      running ??= inWork(null, run);
    });
  }

  async function run(): Promise<void> {
    // Commands submitted in the same turn of the event loop share a batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH_COMMANDS);
      waiting = waiting.slice(MAX_BATCH_COMMANDS);
      await commit(batch);
    }
    running = null;
  }

  async function commit(batch: readonly Waiting[]): Promise<void> {
    const commands = batch.map(({ command }) => command);
    for (const { span } of batch) span?.taken(batch.length);
    const began = performance.now();
    batchSince = began;
    const result = await runIsolated(batchDeps, commands);
    batchSince = null;
    settleBatch(batch, result);
    if (deps.log.isLevelEnabled('debug')) tellSteps(deps.log, batch, result);
    observe({ ...result, commands, durationMs: performance.now() - began });
    for (const { actorId, messageId, reason } of result.deadLetters) {
      const work = workOf(batch, messageId);
      deps.log.error({ ...work, actorId, messageId, reason }, 'an event was set aside');
    }
    try {
      if (result.messages.length > 0 || result.setsDueTimers) deps.onCommitted?.(result.messages, result.setsDueTimers);
    } catch (error) {
      // Everything is committed and settled; the outbox sweeper and the timer poll take over.
      deps.log.error({ reason: messageOf(error) }, 'what a commit wrote could not be passed on at once');
    }
  }

  function observe(batch: ObservedBatch): void {
    try {
      observer?.batchEnded(batch);
    } catch (error) {
      deps.log.error({ reason: messageOf(error) }, 'the result of a batch could not be reported');
    }
  }

  return {
    deliver: (command) => submit({ type: 'event', ...command }) as Promise<EventOutcome>,
    deliverIf: (command) => submit({ type: 'event', ...command }) as Promise<EventOutcome | StaleOutcome>,
    async start(command) {
      deps.kinds.get(command.kind);
      return submit({ type: 'start', ...command }) as Promise<StartOutcome>;
    },
    async drain() {
      while (running !== null) await running;
    },
    load: () => ({
      waiting: waiting.length,
      batchForMs: batchSince === null ? null : performance.now() - batchSince,
    }),
  };
}

// Helpers

type Outcome = EventOutcome | StaleOutcome | StartOutcome;

interface Waiting {
  readonly command: Command;
  readonly span: CommandSpan | null;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

function settleBatch(batch: readonly Waiting[], result: BatchResult): void {
  for (const [place, each] of batch.entries()) {
    const settled: Settled | undefined = result.settled[place];
    if (settled !== undefined) each.span?.settled(settled);
    if (settled === undefined) each.reject(new Error('a batch lost a command'));
    else if ('refusal' in settled) each.reject(settled.refusal);
    else each.resolve(settled.outcome);
  }
}

/** Logs one line per command, with the request context of its caller. */
function tellSteps(log: Log, batch: readonly Waiting[], { settled }: BatchResult): void {
  for (const [place, { command }] of batch.entries()) {
    const each = settled[place];
    if (each === undefined || 'refusal' in each) continue;
    const { outcome } = each.outcome;
    const event = command.type === 'event' ? command.event.type : 'actor.started';
    const merchantId = merchantOf(each);
    const fields = {
      ...logFieldsOf(readRequestContext(command.trace ?? null)),
      ...(merchantId === null ? {} : { merchantId }),
      actorId: command.actorId,
      kind: each.actor?.kind.name,
      event,
      outcome,
      state: each.actor?.state,
    };
    log.debug(fields, 'an actor processed an event');
  }
}

/** Request context fields of the command whose event became this dead letter. */
function workOf(batch: readonly Waiting[], messageId: string): Record<string, string> {
  const found = batch.find(({ command }) => {
    return command.type === 'event' && `${command.actorId}:${command.eventId}` === messageId;
  });
  return logFieldsOf(readRequestContext(found?.command.trace ?? null));
}
