import type { DeliveryEvent, UnixMs } from '../../../machines/index.ts';
import { whileDatabaseAnswers } from '../../db/index.ts';
import type { Engine } from '../../engine/index.ts';
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
}

/**
 * Logs an attempt and tells its delivery how it went. `retryAt` is not null for a probe that failed: the delivery tries
 * again then, and nothing is held against it.
 */
export async function reportAttempt(
  deps: ReportDeps,
  { deliveryId, endpointId, attempt }: SendMessage,
  made: MadeAttempt,
  { isProbe, retryAt }: { isProbe: boolean; retryAt: UnixMs | null },
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
  await deps.engine.deliver({ actorId: deliveryId, eventId: `attempt:${attempt}:answered`, event });
}

/** Tells a delivery that nothing was sent, and when it may try again. */
export async function reportDeferral(
  { engine }: Pick<ReportDeps, 'engine'>,
  { deliveryId, attempt }: SendMessage,
  until: UnixMs,
): Promise<void> {
  const detail = `The endpoint fails nearly every delivery, so nothing was sent; next at ${new Date(until).toISOString()}`;
  const failure = { kind: 'held_back', status: null, detail } as const;
  const event: Unstamped = { type: 'sender.attempt_deferred', attempt, failure, until };
  await engine.deliver({ actorId: deliveryId, eventId: `attempt:${attempt}:deferred:${until}`, event });
}

// Helpers

/** What the sender says; the engine adds the moment. */
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
