import { setTimeout as sleep } from 'node:timers/promises';
import { classifyDatabaseError, databaseErrorOf, databaseUnavailable } from '../../db/index.ts';
import { messageOf, RetryableError, TerminalError } from '../../errors.ts';
import type { BatchDeps, Poison } from './batch-state.ts';
import type { Command } from './command.ts';
import { type BatchResult, LostRace, NotBegun, runBatch } from './run-batch.ts';

/** Reruns of a batch after transaction conflicts before its callers must retry. */
const MAX_CONFLICTS = 5;
/**
 * Delays before rerunning a batch after a server error. Shared by the batch and all its halves,
 * because their actors' other commands wait in the meantime.
 */
const PAUSES_MS = [50, 250, 1_000];

/**
 * Runs a batch so that one bad command does not fail the others; never rejects. A batch that cannot
 * be written is split in half until the bad command is alone: an event is then dead-lettered, a
 * start rejected. After a transient server error the batch is first rerun, with delays. When the
 * database is unreachable or no transaction can be started, every caller of that part gets a
 * `RetryableError`.
 */
export async function runIsolated(
  deps: BatchDeps,
  commands: readonly Command[],
  poison: Poison | null = null,
  pausesMs: number[] = [...PAUSES_MS],
): Promise<BatchResult> {
  for (let conflicts = 0; ; conflicts += 1) {
    try {
      return await runBatch(deps, commands, poison);
    } catch (failed) {
      const error = databaseErrorOf(failed);
      const failure = failureOf(error);
      if (failure === 'conflict' && conflicts < MAX_CONFLICTS) {
        deps.observer?.batchRepeated('conflict');
        continue;
      }
      if (failure === 'conflict') return rejectAll(commands, contended(error));
      if (failure === 'unavailable') return rejectAll(commands, databaseUnavailable(error));
      const pauseMs = failure === 'transient' ? pausesMs.shift() : undefined;
      if (pauseMs !== undefined) {
        deps.observer?.batchRepeated('transient');
        await sleep(pauseMs);
        continue;
      }
      return commands.length > 1
        ? isolateHalves(deps, commands, pausesMs)
        : isolateOne(deps, commands, { poison, error, isTransient: failure === 'transient' });
    }
  }
}

// Helpers

function failureOf(error: unknown): ReturnType<typeof classifyDatabaseError> {
  if (error instanceof LostRace) return 'conflict';
  return error instanceof NotBegun ? 'unavailable' : classifyDatabaseError(error);
}

async function isolateHalves(deps: BatchDeps, commands: readonly Command[], pausesMs: number[]): Promise<BatchResult> {
  deps.observer?.batchRepeated('halved');
  const middle = Math.ceil(commands.length / 2);
  const first = await runIsolated(deps, commands.slice(0, middle), null, pausesMs);
  const second = await runIsolated(deps, commands.slice(middle), null, pausesMs);
  return {
    results: [...first.results, ...second.results],
    messages: [...first.messages, ...second.messages],
    setsDueTimers: first.setsDueTimers || second.setsDueTimers,
    deadLetters: [...first.deadLetters, ...second.deadLetters],
    steps: [...first.steps, ...second.steps],
  };
}

/** With `poison`, recording the event as failed did not work either. */
async function isolateOne(
  deps: BatchDeps,
  commands: readonly Command[],
  { poison, error, isTransient }: LoneFailure,
): Promise<BatchResult> {
  const isEvent = commands[0]?.type === 'event';
  if (isEvent && poison === null && !(error instanceof RetryableError)) {
    return runIsolated(deps, commands, { reason: messageOf(error), isTransient }, []);
  }
  if (isTransient) return rejectAll(commands, databaseUnavailable(error));
  if (!isEvent || error instanceof RetryableError) return rejectAll(commands, error);
  const message = `The event can neither be handled (${poison?.reason}) nor journaled as failed: ${messageOf(error)}`;
  return rejectAll(commands, new TerminalError('EVENT_NOT_STORABLE', message, { cause: error }));
}

interface LoneFailure {
  /** Why the event could not be written in the previous run. */
  readonly poison: Poison | null;
  readonly error: unknown;
  readonly isTransient: boolean;
}

function rejectAll(commands: readonly Command[], cause: unknown): BatchResult {
  const rejection = cause instanceof Error ? cause : new Error(messageOf(cause));
  const results = commands.map(() => ({ rejection }));
  return { results, messages: [], setsDueTimers: false, deadLetters: [], steps: [] };
}

function contended(cause: unknown): RetryableError {
  return new RetryableError('ENGINE_CONTENDED', 'Other transactions keep changing the same actors; try again', {
    cause,
  });
}
