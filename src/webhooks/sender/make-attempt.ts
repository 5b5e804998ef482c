import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptFailure, UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { RetryableError, TerminalError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { readEndpointUrl, type WebhookUrlPolicy } from '../endpoint-url.ts';
import { endpointSecretContext } from '../endpoints/endpoint.ts';
import type { SendMessage } from '../send-message.ts';
import { webhookHeaders } from '../sign.ts';
import type { ClaimedAttempt } from './claim-attempts.ts';
import type { Claims } from './claims.ts';
import type { PostResult } from './classify.ts';
import type { SenderLimits } from './limits.ts';
import { type Exchange, type PostDeps, type PostedWebhook, post } from './post.ts';

export interface AttemptDeps extends Omit<PostDeps, 'timeoutMs'> {
  readonly claims: Pick<Claims, 'take' | 'lasts'>;
  readonly secretBox: SecretBox;
  readonly webhooks: WebhookUrlPolicy;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Pick<SenderLimits, 'timeoutMs' | 'localFaultPauseMs' | 'maxLocalFaults'>;
}

export interface AttemptResult {
  readonly result: EndedResult;
  /**
   * Whether the result says something about the endpoint, rather than about this service or its
   * settings.
   */
  readonly isAboutEndpoint: boolean;
  readonly exchange: Exchange | null;
  readonly startedAt: UnixMs;
  readonly durationMs: number;
}

/** A result that ends the attempt. */
export type EndedResult = Exclude<PostResult, { kind: 'local_fault' }>;

/**
 * Sends one attempt, which must be claimed, with no transaction open. A fault of this machine is
 * waited out in the endpoint's own slot, so that others keep theirs; the endpoint is then read
 * again, because a secret that was regenerated in between must no longer sign. Null when the
 * delivery no longer waits for the attempt. Rejects with a `RetryableError`: `SENDER_CLOSED` when
 * the sender closes in between, `ATTEMPT_HELD` when this process stalled for so long that another
 * sender has claimed the attempt.
 */
export async function makeAttempt(
  deps: AttemptDeps,
  message: SendMessage,
  known: ClaimedAttempt,
): Promise<AttemptResult | null> {
  const { claims, clock, log, limits, closing } = deps;
  for (let faults = 1, claimed: ClaimedAttempt | null = known; ; faults += 1) {
    // A request must be finished before another sender can send it.
    if (!claims.lasts(message, limits.timeoutMs)) claimed = await claims.take(message);
    if (claimed === null) return null;
    const startedAt = clock.now();
    const began = performance.now();
    const { result, exchange } = await sendOnce(deps, message, claimed);
    const ended = { exchange, startedAt, durationMs: Math.round(performance.now() - began) };
    if (result.kind !== 'local_fault') return { ...ended, result, isAboutEndpoint: isAboutEndpoint(result) };
    // A receiver can look like a fault of this machine (one with only IPv6, say, where this machine
    // has none); it must not be retried forever.
    if (faults > limits.maxLocalFaults) {
      return { ...ended, result: { ...result, kind: 'failed', retryAfterMs: null }, isAboutEndpoint: false };
    }
    log.warn(
      { endpointId: message.endpointId, reason: result.failure.detail },
      'this machine cannot reach other hosts',
    );
    await sleep(limits.localFaultPauseMs, undefined, { signal: closing }).catch(() => {
      throw closedError();
    });
    claimed = await claims.take(message);
  }
}

export function closedError(): RetryableError {
  // Immediately, by another sender.
  return new RetryableError('SENDER_CLOSED', 'The service is stopping; it sends webhooks after the next start', {
    retryAfterMs: 0,
  });
}

// Helpers

type Sent = PostedWebhook | { readonly result: EndedResult; readonly exchange: null };

async function sendOnce(
  deps: AttemptDeps,
  message: SendMessage,
  { webhookEventId, event, mode, body, endpoint }: ClaimedAttempt,
): Promise<Sent> {
  const { endpointId, attempt } = message;
  if (endpoint === null) return unsent('endpoint_gone', ENDPOINT_GONE);
  const url = readStoredUrl(endpoint.url, deps.webhooks);
  if (typeof url === 'string') return unsent('blocked', url);
  const secret = openSecret(deps, message, endpoint.sealedSecret);
  if (secret === null) return unsent('secret_unreadable', SECRET_UNREADABLE);
  const at = deps.clock.now();
  const isOverlap = endpoint.previous !== null && at < endpoint.previous.until;
  // A previous secret that no key opens signs nothing: receivers that know the new one still get
  // the event.
  const previousSecret = isOverlap ? openSecret(deps, message, endpoint.previous.sealedSecret) : null;
  const signed = { webhookEventId, event, mode, body, endpointId, attempt, at, secret, previousSecret };
  const { timeoutMs } = deps.limits;
  return post({ ...deps, timeoutMs }, { url, headers: webhookHeaders(signed), body });
}

const ENDPOINT_GONE = 'The endpoint was disabled or removed after the event; enable it to send the event';
const SECRET_UNREADABLE = 'The service has no key that opens the secret of the endpoint; its operator must fix that';

/**
 * Null when no key of this process opens the secret. That is not the receiver's fault, and the next
 * attempt may have the right key: the error is logged for the operator, and the retries continue.
 */
function openSecret(
  { secretBox, log }: AttemptDeps,
  { deliveryId, endpointId, attempt }: SendMessage,
  sealedSecret: string,
): string | null {
  try {
    return secretBox.open(sealedSecret, endpointSecretContext(endpointId));
  } catch (error) {
    if (!(error instanceof TerminalError) || error.code !== 'SECRET_UNREADABLE') throw error;
    log.error(
      { deliveryId, endpointId, attempt, reason: error.message },
      'a webhook cannot be signed with this secret',
    );
    return null;
  }
}

/**
 * Returns why the URL is no longer allowed if the settings have become stricter since it was
 * stored.
 */
function readStoredUrl(url: string, policy: WebhookUrlPolicy): URL | string {
  try {
    return readEndpointUrl(url, policy);
  } catch (error) {
    if (error instanceof TerminalError) return error.message;
    throw error;
  }
}

function unsent(kind: AttemptFailure['kind'], detail: string): Sent {
  return {
    result: { kind: 'failed', failure: { kind, status: null, detail }, retryAfterMs: null },
    exchange: null,
  };
}

/** Failures before anything is sent to the receiver. */
const TELLS_NOTHING: ReadonlySet<AttemptFailure['kind']> = new Set(['blocked', 'secret_unreadable', 'endpoint_gone']);

function isAboutEndpoint(result: EndedResult): boolean {
  return result.kind === 'delivered' || !TELLS_NOTHING.has(result.failure.kind);
}
