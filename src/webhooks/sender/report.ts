import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliveryEvent, deliveryMachine, type UnixMs } from '../../../machines/index.ts';
import type { Engine, EventCommand } from '../../platform/engine/index.ts';
import { messageOf, RetryableError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { SendMessage } from '../send-message.ts';
import type { AttemptRecord } from './attempt-log.ts';
import type { AttemptResult } from './make-attempt.ts';

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
interface BreakerResult {
  readonly isProbe: boolean;
  /**
   * Set for a failed probe: when the delivery tries again, without the failure counting against it.
   */
  readonly retryAt: UnixMs | null;
}

/** Maximum pause before a failed report is retried, in ms. */
const MAX_PAUSE_MS = 2_000;

/** Maximum number of failures that are not a `RetryableError`. */
const MAX_UNKNOWN_FAILURES = 5;

/**
 * Reports an attempt with `reportAttempt`, retrying until it is committed: the merchant already has
 * the webhook, and a message returned to the bus without a commit would send it again. Rejects when
 * the sender closes, and after repeated failures that are not retryable.
 */
export async function reportUntilAcknowledged(
  deps: ReportDeps,
  message: SendMessage,
  made: AttemptResult,
  breaker: BreakerResult,
): Promise<void> {
  for (let unknownFailures = 0; ; ) {
    try {
      await reportAttempt(deps, message, made, breaker);
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
  message: SendMessage,
  made: AttemptResult,
  { isProbe, retryAt }: BreakerResult,
): Promise<void> {
  const { deliveryId, endpointId, attempt } = message;
  const { result, exchange, startedAt, durationMs } = made;
  const failure = result.kind === 'failed' ? result.failure : null;
  const status = result.kind === 'failed' ? result.failure.status : result.status;
  deps.log.debug(
    { deliveryId, endpointId, attempt, status, failure: failure?.kind, durationMs, isProbe },
    'webhook attempt made',
  );
  const record = { deliveryId, attempt, startedAt, durationMs, status, failure, isProbe, exchange };
  const event = responseEvent(attempt, result, retryAt, deps.random);
  // An attempt number can recur, after a deferral by a sender that did not know of this attempt;
  // the start time makes the id unique.
  const eventId = `attempt:${attempt}:answered:${startedAt}`;
  const start = startOf(message, event.type === 'sender.attempt_succeeded' ? record : undefined);
  // A start that is a success logs the attempt in its commit.
  const isLoggedByStart = start?.attachment !== undefined;
  if (!isLoggedByStart) await deps.logAttempt(record);
  let hasStarted: true | undefined;
  try {
    ({ hasStarted } = await deps.engine.deliver({ actorId: deliveryId, eventId, event, start }));
  } finally {
    if (isLoggedByStart && hasStarted !== true) await deps.logAttempt(record);
  }
}

/** Why an attempt is not sent now. */
export type DeferralReason = 'held_back' | 'backlog' | 'stopping';

/** Reports to a delivery that nothing was sent, and when it may try again. */
export async function reportDeferral(
  { engine }: Pick<ReportDeps, 'engine'>,
  message: SendMessage,
  { until, reason }: { readonly until: UnixMs; readonly reason: DeferralReason },
): Promise<void> {
  const { deliveryId, attempt } = message;
  const detail = `${REASONS[reason]}; next at ${new Date(until).toISOString()}`;
  const failure = { kind: 'held_back', status: null, detail } as const;
  const event: Unstamped = { type: 'sender.attempt_deferred', attempt, failure, until };
  const eventId = `attempt:${attempt}:deferred:${until}`;
  await engine.deliver({ actorId: deliveryId, eventId, event, start: startOf(message) });
}

/**
 * How the actor of a first attempt starts, if it has not: with the success, or before any other
 * outcome.
 */
export function startOf({ deliveryId, endpointId, owed }: SendMessage, success?: AttemptRecord): EventCommand['start'] {
  if (owed === undefined) return undefined;
  const { webhookEventId, since: owedSince } = owed;
  const input = { deliveryId, endpointId, webhookEventId, earlierAttempts: 0, owedSince };
  if (success === undefined) return { kind: deliveryMachine.id, input };
  return { kind: deliveryMachine.id, input: { ...input, deliveredStatus: success.status }, attachment: success };
}

// Helpers

const REASONS: Readonly<Record<DeferralReason, string>> = {
  held_back: 'The endpoint fails nearly every delivery, so nothing was sent',
  backlog: 'The endpoint has a backlog, so nothing was sent yet',
  stopping: 'The sender stopped before this attempt, so nothing was sent yet',
};

/** An event as the sender reports it; the engine adds the timestamp. */
type Unstamped = DeliveryEvent extends infer Each ? (Each extends { at: UnixMs } ? Omit<Each, 'at'> : never) : never;

function responseEvent(
  attempt: number,
  result: AttemptResult['result'],
  retryAt: UnixMs | null,
  random: () => number,
): Unstamped {
  if (result.kind === 'delivered') return { type: 'sender.attempt_succeeded', attempt, status: result.status };
  const { failure, retryAfterMs } = result;
  if (retryAt !== null) return { type: 'sender.probe_failed', attempt, failure, until: retryAt };
  return { type: 'sender.attempt_failed', attempt, failure, jitter: random() * 2 - 1, retryAfterMs };
}
