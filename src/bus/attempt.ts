import { messageOf, RetryableError, TerminalError } from '../errors.ts';
import { inWork, readCarriedWork } from '../work-context.ts';
import type { BusLog } from './log.ts';
import type { BusObserver, HandOutOutcome } from './observer.ts';
import type { BusHandler, BusMessage, DeadLetterPort, ReceivedMessage } from './port.ts';
import { MAX_HANDLER_FAILURES } from './port.ts';

/** Waits before the 2nd, 3rd … hand-out after an unknown failure: under two minutes in all for a fault that heals itself. */
const FAILURE_DELAYS_MS: readonly number[] = [100, 300, 1_000, 3_000, 10_000, 30_000, 60_000];

/** Wait before a message is handed out again whose dead letter could not be stored. */
const DEAD_LETTER_RETRY_MS = 5_000;

/** No retry waits longer: timers of Node take at most 2^31 ms, and a message waiting keeps a place of its partition. */
const MAX_RETRY_DELAY_MS = 3_600_000;

export interface AttemptDeps {
  readonly deadLetter: DeadLetterPort;
  readonly log: BusLog;
  readonly observer?: BusObserver | undefined;
  /** Milliseconds to wait after the 1st, 2nd … unknown failure; the last one repeats. */
  readonly failureDelaysMs?: readonly number[];
}

/** What became of a hand-out: the message is done with, or is to be handed out again after a wait. */
export type Outcome =
  | { readonly kind: 'settled' }
  | { readonly kind: 'again'; readonly afterMs: number; readonly failures: number };

/**
 * Hands one message to its handler and decides what the result means. This is the whole delivery policy; the
 * buses only carry it out. `failures` counts the unknown failures of this message so far. Never rejects.
 * The handler works on behalf of whoever caused the message, and of nobody who happens to run beside it.
 */
export function attempt(
  deps: AttemptDeps,
  message: ReceivedMessage,
  handle: BusHandler,
  failures: number,
): Promise<Outcome> {
  return inWork(readCarriedWork(message.trace ?? null), () => handOut(deps, message, handle, failures));
}

async function handOut(
  deps: AttemptDeps,
  message: ReceivedMessage,
  handle: BusHandler,
  failures: number,
): Promise<Outcome> {
  const began = performance.now();
  const tell = (outcome: HandOutOutcome) =>
    deps.observer?.handedOut({ queue: message.queue, outcome, durationMs: performance.now() - began });
  try {
    await handle(message);
  } catch (error) {
    tell(outcomeOf(error));
    if (error instanceof RetryableError) return again(error.retryAfterMs, failures);
    if (error instanceof TerminalError) return bury(deps, message, `${error.code}: ${error.message}`, failures);
    return afterUnknownFailure(deps, message, error, failures + 1);
  }
  tell('handled');
  return { kind: 'settled' };
}

/** Stores a message as a dead letter. When that fails the message is handed out again: it must be somewhere. */
export async function bury(deps: AttemptDeps, message: BusMessage, reason: string, failures: number): Promise<Outcome> {
  const { queue, partition, id, data } = message;
  try {
    await deps.deadLetter({ queue, partition, id, data }, reason);
  } catch (error) {
    deps.log.error(
      { queue, partition, id, reason, err: error },
      'A dead letter could not be stored; its message comes again',
    );
    return again(error instanceof RetryableError ? error.retryAfterMs : DEAD_LETTER_RETRY_MS, failures);
  }
  deps.observer?.buried(queue);
  deps.log.error({ queue, partition, id, reason }, 'A message became a dead letter');
  return { kind: 'settled' };
}

function outcomeOf(error: unknown): HandOutOutcome {
  if (error instanceof RetryableError) return 'again';
  return error instanceof TerminalError ? 'refused' : 'failed';
}

function afterUnknownFailure(
  deps: AttemptDeps,
  message: ReceivedMessage,
  error: unknown,
  failures: number,
): Promise<Outcome> | Outcome {
  const { queue, partition, id } = message;
  deps.log.error(
    { queue, partition, id, attempt: message.attempt, failures, err: error },
    'A handler failed unexpectedly',
  );
  if (failures >= MAX_HANDLER_FAILURES) {
    return bury(deps, message, `Failed ${failures} times, at last with: ${messageOf(error)}`, failures);
  }
  const delaysMs = deps.failureDelaysMs ?? FAILURE_DELAYS_MS;
  return again(delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0, failures);
}

function again(afterMs: number, failures: number): Outcome {
  return { kind: 'again', afterMs: Math.min(Math.max(afterMs, 0), MAX_RETRY_DELAY_MS), failures };
}
