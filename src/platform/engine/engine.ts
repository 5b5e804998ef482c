import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { messageOf, RetryableError } from '../errors.ts';
import type { Log } from '../log.ts';
import { serializeContext } from '../request-context.ts';
import { noTracer, type Tracer } from '../tracer.ts';
import { logBatch } from './batch/batch-log.ts';
import { createBatchQueue } from './batch/batch-queue.ts';
import { type Command, type CommandSpan, spanOfCommand } from './batch/command.ts';
import { runIsolated } from './batch/isolate.ts';
import type { BatchResult } from './batch/run-batch.ts';
import { type Crash, neverCrash } from './crash-points.ts';
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
import type { KindRegistry } from './versions/kind-registry.ts';

export interface EngineDeps {
  readonly db: Kysely<Database>;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Batches that may run at the same time when very many commands wait, each in a transaction on
   * its own connection; 1 if omitted, and for the embedded database, which has one connection.
   */
  readonly parallelBatches?: number;
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

/** Maximum number of waiting commands; beyond it callers get `ENGINE_BUSY`. */
const MAX_WAITING_COMMANDS = 20_000;

/** Runs commands in batches, several commands to a transaction; see `batch-queue.ts`. */
export function createEngine(deps: EngineDeps): Engine {
  const { db, kinds, clock, observer, log } = deps;
  const batchDeps = { db, kinds, clock, observer, crash: deps.crash ?? neverCrash };
  const tracer = deps.tracer ?? noTracer;
  const queue = createBatchQueue<Waiting>({
    actorOf: ({ command }) => command.actorId,
    run: commit,
    parallel: deps.parallelBatches ?? 1,
  });

  function submit(command: Command): Promise<Outcome> {
    if (!tracer.isOn) return enqueue({ ...command, trace: serializeContext() }, null);
    return spanOfCommand(tracer, command, (span) => enqueue({ ...command, trace: serializeContext() }, span));
  }

  function enqueue(command: Command, span: CommandSpan | null): Promise<Outcome> {
    if (queue.waiting >= MAX_WAITING_COMMANDS) {
      return Promise.reject(new RetryableError('ENGINE_BUSY', 'Too many commands are waiting; try again shortly'));
    }
    return new Promise((resolve, reject) => queue.add({ command, span, resolve, reject }));
  }

  /** Never rejects. */
  async function commit(batch: readonly Waiting[]): Promise<void> {
    const commands = batch.map(({ command }) => command);
    for (const { span } of batch) span?.batchStarted(batch.length);
    const began = performance.now();
    const result = await runIsolated(batchDeps, commands);
    settleBatch(batch, result);
    logBatch(log, commands, result);
    observe({ ...result, commands, durationMs: performance.now() - began });
    try {
      if (result.messages.length > 0 || result.setsDueTimers) deps.onCommitted?.(result.messages, result.setsDueTimers);
    } catch (error) {
      // Everything is committed and settled; the outbox sweeper and the timer poll take over.
      log.error(
        { reason: messageOf(error) },
        'messages and timers of a commit could not be published immediately; they are published later',
      );
    }
  }

  function observe(batch: ObservedBatch): void {
    try {
      observer?.batchEnded(batch);
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'the result of a batch could not be reported');
    }
  }

  function deliver(command: EventCommand): Promise<EventOutcome> {
    return submit({ type: 'event', ...command }) as Promise<EventOutcome>;
  }

  return {
    deliver,
    // The batch compares the expected sequence of a command that has one.
    deliverIf: deliver,
    async start(command) {
      kinds.get(command.kind);
      return submit({ type: 'start', ...command }) as Promise<StartOutcome>;
    },
    drain: () => queue.drained(),
    load: () => ({ waiting: queue.waiting, batchForMs: queue.oldestRunningMs() }),
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

function settleBatch(batch: readonly Waiting[], { results }: BatchResult): void {
  for (const [index, { span, resolve, reject }] of batch.entries()) {
    const each = results[index];
    if (each !== undefined) span?.settled(each);
    if (each === undefined) reject(new Error('a batch lost a command'));
    else if ('rejection' in each) reject(each.rejection);
    else resolve(each.outcome);
  }
}
