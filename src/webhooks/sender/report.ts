import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryEvent, UnixMs } from '../../../machines/index.ts';
import { whileDatabaseAnswers } from '../../db/index.ts';
import type { Engine } from '../../engine/index.ts';
import { messageOf, RetryableError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { SendMessage } from '../send-message.ts';
import type { AttemptRecord } from './attempt-log.ts';
import type { MadeAttempt } from './make-attempt.ts';

export interface ReportDeps {
  readonly logAttempt: (record: AttemptRecord) => Promise<unknown>;
  readonly engine: Pick<Engine, 'deliver'>;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Aborted when the sender closes. */
  readonly closing: AbortSignal;
}

/** What the endpoint's breaker says about the attempt. */
interface TurnTaken {
  readonly isProbe: boolean;
  /**
   * Set for a failed probe: when the delivery tries again, without the failure counting against it.
   */
  readonly retryAt: UnixMs | null;
}

/** Maximum pause before a failed report is retried, in ms. */
const MAX_PAUSE_MS = 2_000;

/** Limit of failures that are not a `RetryableError`. */
const MAX_UNKNOWN_FAILURES = 5;

/**
 * Reports an attempt with `reportAttempt`, retrying until it is committed: the merchant already has
 * the webhook, and a message returned to the bus without a commit would send it again. Rejects when
 * the sender closes, and after repeated failures that are not retryable.
 */
export async function reportUntilAcknowledged(
  deps: ReportDeps,
  message: SendMessage,
  made: MadeAttempt,
  turn: TurnTaken,
): Promise<void> {
  for (let unknownFailures = 0; ; ) {
    try {
      await reportAttempt(deps, message, made, turn);
      return;
    } catch (error) {
      if (!(error instanceof RetryableError)) unknownFailures += 1;
      if (deps.closing.aborted || unknownFailures >= MAX_UNKNOWN_FAILURES) throw error;
      const { deliveryId, attempt } = message;
      deps.log.warn({ deliveryId, attempt, reason: messageOf(error) }, 'a webhook attempt is reported again');
      const pauseMs = error instanceof RetryableError ? Math.min(error.retryAfterMs, MAX_PAUSE_MS) : MAX_PAUSE_MS;
      // Tried once more on closing.
      await sleep(pauseMs, undefined, { signal: deps.closing }).catch(() => undefined);
    }
  }
}

/** Logs an attempt and reports its outcome to the delivery. */
async function reportAttempt(
  deps: ReportDeps,
  { deliveryId, endpointId, attempt }: SendMessage,
  made: MadeAttempt,
  { isProbe, retryAt }: TurnTaken,
): Promise<void> {
  const { result, exchange, startedAt, durationMs } = made;
  const failure = result.kind === 'failed' ? result.failure : null;
  const status = result.kind === 'failed' ? result.failure.status : result.status;
  deps.log.debug(
    { deliveryId, endpointId, attempt, status, failure: failure?.kind, durationMs, isProbe },
    'webhook attempt made',
  );
  await whileDatabaseAnswers(() => {
    const record = { deliveryId, attempt, startedAt, durationMs, status, failure, isProbe, exchange };
    return deps.logAttempt(record);
  });
  const event = answerEvent(attempt, result, retryAt, deps.random);
  // An attempt number can recur, after a deferral by a sender that did not know of this attempt;
  // the start time makes the id unique.
  await deps.engine.deliver({ actorId: deliveryId, eventId: `attempt:${attempt}:answered:${startedAt}`, event });
}

/** Why an attempt is not made now. */
export type DeferralReason = 'held_back' | 'crowded' | 'stopping';

/** Reports to a delivery that nothing was sent, and when it may try again. */
export async function reportDeferral(
  { engine }: Pick<ReportDeps, 'engine'>,
  { deliveryId, attempt }: SendMessage,
  { until, reason }: { readonly until: UnixMs; readonly reason: DeferralReason },
): Promise<void> {
  const detail = `${REASONS[reason]}; next at ${new Date(until).toISOString()}`;
  const failure = { kind: 'held_back', status: null, detail } as const;
  const event: Unstamped = { type: 'sender.attempt_deferred', attempt, failure, until };
  await engine.deliver({ actorId: deliveryId, eventId: `attempt:${attempt}:deferred:${until}`, event });
}

// Helpers

const REASONS: Readonly<Record<DeferralReason, string>> = {
  held_back: 'The endpoint fails nearly every delivery, so nothing was sent',
  crowded: 'More waits for the endpoint than it takes at the moment, so nothing was sent yet',
  stopping: 'The sender was stopped before it came to this one, so nothing was sent yet',
};

/** An event as the sender reports it; the engine adds the timestamp. */
type Unstamped = DeliveryEvent extends infer Each ? (Each extends { at: UnixMs } ? Omit<Each, 'at'> : never) : never;

function answerEvent(
  attempt: number,
  result: MadeAttempt['result'],
  retryAt: UnixMs | null,
  random: () => number,
): Unstamped {
  if (result.kind === 'delivered') return { type: 'sender.attempt_succeeded', attempt, status: result.status };
  const { failure, retryAfterMs } = result;
  if (retryAt !== null) return { type: 'sender.probe_failed', attempt, failure, until: retryAt };
  return { type: 'sender.attempt_failed', attempt, failure, jitter: random() * 2 - 1, retryAfterMs };
}
