import type { Kysely } from 'kysely';
import { partitionOf } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import { createGrouped, type Database } from '../db/index.ts';
import { messageOf, RetryableError } from '../errors.ts';
import type { Log } from '../log.ts';
import { requestContext } from '../request-context.ts';
import { noTracer, type Tracer } from '../tracer.ts';
import { logBatch } from './batch-log.ts';
import type { Command, Settled } from './command.ts';
import { type CommandSpan, spanOfCommand } from './command-span.ts';
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
   * Batches that may commit at the same time, each in a transaction of its own; 1 if omitted. All
   * events of an actor are in one lane, which keeps their order.
   */
  readonly lanes?: number;
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

/**
 * Group commit: while one batch of a lane commits, its next one fills. An idle engine commits a
 * single command immediately; a busy one pays one disk flush for hundreds.
 */
export function createEngine(deps: EngineDeps): Engine {
  const { db, kinds, clock, observer, log } = deps;
  const batchDeps = { db, kinds, clock, observer, crash: deps.crash ?? neverCrash };
  const tracer = deps.tracer ?? noTracer;
  const lanes = Array.from({ length: deps.lanes ?? 1 }, () => createGrouped(commit));
  const unsettled = new Set<Promise<unknown>>();
  const running = new Set<{ readonly since: number }>();
  let waiting = 0;

  function submit(wanted: Command): Promise<Outcome> {
    if (!tracer.isOn) return enqueue({ ...wanted, trace: requestContext() }, null);
    return spanOfCommand(tracer, wanted, (span) => enqueue({ ...wanted, trace: requestContext() }, span));
  }

  function enqueue(command: Command, span: CommandSpan | null): Promise<Outcome> {
    if (waiting >= MAX_WAITING_COMMANDS) {
      return Promise.reject(new RetryableError('ENGINE_BUSY', 'Too many commands are waiting; try again shortly'));
    }
    waiting += 1;
    const lane = lanes[partitionOf(command.actorId) % lanes.length] as (typeof lanes)[number];
    const outcome = lane({ command, span }).then((settled) => {
      unsettled.delete(outcome);
      span?.settled(settled);
      if ('refusal' in settled) throw settled.refusal;
      return settled.outcome;
    });
    unsettled.add(outcome);
    return outcome;
  }

  /** Never rejects. */
  async function commit(batch: readonly Submitted[]): Promise<readonly Settled[]> {
    waiting -= batch.length;
    const commands = batch.map(({ command }) => command);
    for (const { span } of batch) span?.taken(batch.length);
    const run = { since: performance.now() };
    running.add(run);
    const result = await runIsolated(batchDeps, commands);
    running.delete(run);
    logBatch(log, commands, result);
    observe({ ...result, commands, durationMs: performance.now() - run.since });
    try {
      if (result.messages.length > 0 || result.setsDueTimers) deps.onCommitted?.(result.messages, result.setsDueTimers);
    } catch (error) {
      // Everything is committed and settled; the outbox sweeper and the timer poll take over.
      log.error({ reason: messageOf(error) }, 'what a commit wrote could not be passed on at once');
    }
    return result.settled;
  }

  function observe(batch: ObservedBatch): void {
    try {
      observer?.batchEnded(batch);
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'the result of a batch could not be reported');
    }
  }

  return {
    deliver: (command) => submit({ type: 'event', ...command }) as Promise<EventOutcome>,
    deliverIf: (command) => submit({ type: 'event', ...command }) as Promise<EventOutcome | StaleOutcome>,
    async start(command) {
      kinds.get(command.kind);
      return submit({ type: 'start', ...command }) as Promise<StartOutcome>;
    },
    async drain() {
      while (unsettled.size > 0) await Promise.allSettled(unsettled);
    },
    load() {
      const [oldest] = running;
      return { waiting, batchForMs: oldest === undefined ? null : performance.now() - oldest.since };
    },
  };
}

// Helpers

type Outcome = EventOutcome | StaleOutcome | StartOutcome;

interface Submitted {
  readonly command: Command;
  readonly span: CommandSpan | null;
}
