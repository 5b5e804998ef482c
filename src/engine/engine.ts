import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { messageOf, RetryableError } from '../errors.ts';
import type { Log } from '../log.ts';
import { noTracer, type Tracer } from '../tracer.ts';
import { carriedWork, inWork, logFieldsOf, readCarriedWork } from '../work-context.ts';
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
  /** Called after each commit, never awaited: publishes what the commit wrote. `setsDueTimers` says that some timer may be due already. */
  readonly onCommitted?: (messages: readonly OutgoingMessage[], setsDueTimers: boolean) => void;
  readonly crash?: Crash;
  /** Records a span per command; nothing when left out. */
  readonly tracer?: Tracer;
  readonly observer?: EngineObserver | undefined;
}

export interface Engine {
  /**
   * Delivers one event. Resolves after the commit that holds everything it caused. Rejects with `RetryableError` when
   * the database cannot be reached or too much is waiting; nothing was changed then, or the same event id will be
   * found to be a duplicate.
   */
  deliver(command: EventCommand): Promise<EventOutcome>;
  /** Delivers one event unless something else has happened to its actor first. Under the same promises. */
  deliverIf(command: ConditionalCommand): Promise<EventOutcome | StaleOutcome>;
  /** Starts one actor, under the same promises. Rejects with what `prepare` or the chart refused it for. */
  start(command: StartCommand): Promise<StartOutcome>;
  /** Resolves when everything that was handed in has settled. */
  drain(): Promise<void>;
  load(): EngineLoad;
}

/** Commands in one transaction at most. Larger batches gain little and hold locks longer. */
const MAX_BATCH_COMMANDS = 512;
/** Commands that may wait; beyond it callers are told to come back. */
const MAX_WAITING_COMMANDS = 20_000;

/**
 * Group commit: while one batch commits, the next gathers. An idle engine commits a lone command at once; a busy one pays
 * one flush of the disk for hundreds.
 */
export function createEngine(deps: EngineDeps): Engine {
  const { db, kinds, clock, observer } = deps;
  const batchDeps = { db, kinds, clock, observer, crash: deps.crash ?? neverCrash };
  const tracer = deps.tracer ?? noTracer;
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let batchSince: number | null = null;

  function submit(wanted: Command): Promise<Outcome> {
    if (!tracer.isOn) return enqueue({ ...wanted, trace: carriedWork() }, null);
    return spanOfCommand(tracer, wanted, (span) => enqueue({ ...wanted, trace: carriedWork() }, span));
  }

  function enqueue(command: Command, span: CommandSpan | null): Promise<Outcome> {
    if (waiting.length >= MAX_WAITING_COMMANDS) {
      return Promise.reject(new RetryableError('ENGINE_BUSY', 'Too many commands are waiting; try again shortly'));
    }
    return new Promise((resolve, reject) => {
      waiting.push({ command, span, resolve, reject });
      // Batches belong to nobody: the work of whoever woke the engine must not stick to those who come later.
      running ??= inWork(null, run);
    });
  }

  async function run(): Promise<void> {
    // What arrives in the same turn of the event loop belongs together.
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
    settleAll(batch, result);
    if (deps.log.isLevelEnabled('debug')) tellSteps(deps.log, batch, result);
    observe({ ...result, commands, durationMs: performance.now() - began });
    for (const { actorId, messageId, reason } of result.deadLetters) {
      const work = workOf(batch, messageId);
      deps.log.error({ ...work, actorId, messageId, reason }, 'an event was set aside');
    }
    try {
      if (result.messages.length > 0 || result.setsDueTimers) deps.onCommitted?.(result.messages, result.setsDueTimers);
    } catch (error) {
      // Everything is committed and settled: the outbox is swept and timers are polled all the same.
      deps.log.error({ reason: messageOf(error) }, 'what a commit wrote could not be passed on at once');
    }
  }

  function observe(batch: ObservedBatch): void {
    try {
      observer?.batchEnded(batch);
    } catch (error) {
      deps.log.error({ reason: messageOf(error) }, 'a batch could not be told of');
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

function settleAll(batch: readonly Waiting[], result: BatchResult): void {
  for (const [place, each] of batch.entries()) {
    const settled: Settled | undefined = result.settled[place];
    if (settled !== undefined) each.span?.settled(settled);
    if (settled === undefined) each.reject(new Error('a batch lost a command'));
    else if ('refusal' in settled) each.reject(settled.refusal);
    else each.resolve(settled.outcome);
  }
}

/** One line for every step, on behalf of whoever caused it: the batch itself belongs to nobody. */
function tellSteps(log: Log, batch: readonly Waiting[], { settled }: BatchResult): void {
  for (const [place, { command }] of batch.entries()) {
    const each = settled[place];
    if (each === undefined || 'refusal' in each) continue;
    const { outcome } = each.outcome;
    const event = command.type === 'event' ? command.event.type : 'actor.started';
    const merchantId = merchantOf(each);
    const fields = {
      ...logFieldsOf(readCarriedWork(command.trace ?? null)),
      ...(merchantId === null ? {} : { merchantId }),
      actorId: command.actorId,
      kind: each.actor?.kind.name,
      event,
      outcome,
      state: each.actor?.state,
    };
    log.debug(fields, 'an actor was told');
  }
}

/** What is known of the work that an event of this batch was part of, by the id of its dead letter. */
function workOf(batch: readonly Waiting[], messageId: string): Record<string, string> {
  const found = batch.find(({ command }) => {
    return command.type === 'event' && `${command.actorId}:${command.eventId}` === messageId;
  });
  return logFieldsOf(readCarriedWork(found?.command.trace ?? null));
}
