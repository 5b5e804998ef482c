import { messageOf, RetryableError, TerminalError } from '../errors.ts';
import type { EventLog } from '../log.ts';
import { parseContext, runInNewContext } from '../request-context.ts';
import {
  type BusHandler,
  type BusMessage,
  type DeadLetterPort,
  MAX_HANDLER_FAILURES,
  type Queue,
  type ReceivedMessage,
} from './port.ts';

/**
 * Observes deliveries. Called synchronously while messages are handled: it must be fast and must
 * not throw.
 */
export interface BusObserver {
  /**
   * A handler has finished one delivery. `retry`: it requested a retry; `failed`: an unexpected
   * error, after which the message is redelivered or dead-lettered; `rejected`: a terminal error.
   */
  processed(delivery: { queue: Queue; outcome: ProcessingOutcome; durationMs: number }): void;
  /** A message became a dead letter. */
  deadLettered(queue: Queue): void;
}

type ProcessingOutcome = 'handled' | 'retry' | 'failed' | 'rejected';

export interface AttemptDeps {
  readonly deadLetter: DeadLetterPort;
  readonly log: EventLog;
  readonly observer?: BusObserver | undefined;
  /** Delays in ms after the 1st, 2nd … unexpected error; the last one repeats. */
  readonly failureDelaysMs?: readonly number[];
}

/** Result of one delivery: the message is settled, or is to be redelivered after a delay. */
export type Outcome =
  | { readonly kind: 'settled' }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly failures: number };

/**
 * Delivers one message to its handler and maps the result to an `Outcome`. This is the whole
 * delivery policy; the two buses only execute it. `failures` counts the unexpected errors of this
 * message so far. Never rejects. The handler runs in the request context that the message carries,
 * not in the caller's.
 */
export function attempt(
  deps: AttemptDeps,
  message: ReceivedMessage,
  handle: BusHandler,
  failures: number,
): Promise<Outcome> {
  return runInNewContext(parseContext(message.trace ?? null), () => runHandler(deps, message, handle, failures));
}

/**
 * Stores a message as a dead letter. If that fails, the message is redelivered so that it is not
 * lost.
 */
export async function storeDeadLetter(
  deps: AttemptDeps,
  message: BusMessage,
  reason: string,
  failures: number,
): Promise<Outcome> {
  const { queue, partition, id, data } = message;
  try {
    await deps.deadLetter({ queue, partition, id, data }, reason);
  } catch (error) {
    deps.log.error(
      { queue, partition, id, reason, err: error },
      'a dead letter could not be stored; its message is redelivered',
    );
    return retryAfter(error instanceof RetryableError ? error.retryAfterMs : DEAD_LETTER_RETRY_MS, failures);
  }
  deps.observer?.deadLettered(queue);
  deps.log.error({ queue, partition, id, reason }, 'a message became a dead letter');
  return { kind: 'settled' };
}

// Helpers

/**
 * Delays before the 2nd, 3rd … delivery after an unexpected error: under two minutes in total,
 * enough for a transient fault.
 */
const FAILURE_DELAYS_MS: readonly number[] = [100, 300, 1_000, 3_000, 10_000, 30_000, 60_000];

/** Delay before redelivery when the dead letter could not be stored. */
const DEAD_LETTER_RETRY_MS = 5_000;

/**
 * Upper bound of every retry delay: Node timers take at most 2^31 ms, and a message that waits for
 * its retry counts against the partition's in-flight limit.
 */
const MAX_RETRY_DELAY_MS = 3_600_000;

async function runHandler(
  deps: AttemptDeps,
  message: ReceivedMessage,
  handle: BusHandler,
  failures: number,
): Promise<Outcome> {
  const began = performance.now();
  const report = (outcome: ProcessingOutcome) =>
    deps.observer?.processed({ queue: message.queue, outcome, durationMs: performance.now() - began });
  try {
    await handle(message);
  } catch (error) {
    report(outcomeOf(error));
    if (error instanceof RetryableError) return retryAfter(error.retryAfterMs, failures);
    if (error instanceof TerminalError)
      return storeDeadLetter(deps, message, `${error.code}: ${error.message}`, failures);
    return afterUnknownFailure(deps, message, error, failures + 1);
  }
  report('handled');
  return { kind: 'settled' };
}

function outcomeOf(error: unknown): ProcessingOutcome {
  if (error instanceof RetryableError) return 'retry';
  return error instanceof TerminalError ? 'rejected' : 'failed';
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
    'a handler failed unexpectedly',
  );
  if (failures >= MAX_HANDLER_FAILURES) {
    return storeDeadLetter(deps, message, `Failed ${failures} times. Last error: ${messageOf(error)}`, failures);
  }
  const delaysMs = deps.failureDelaysMs ?? FAILURE_DELAYS_MS;
  return retryAfter(delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0, failures);
}

function retryAfter(afterMs: number, failures: number): Outcome {
  return { kind: 'retry', afterMs: Math.min(Math.max(afterMs, 0), MAX_RETRY_DELAY_MS), failures };
}
