import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { AttemptFailure } from '../../../machines/index.ts';
import type { BusHandler } from '../../bus/index.ts';
import type { Clock } from '../../clock.ts';
import { type Database, whileDatabaseAnswers } from '../../db/index.ts';
import type { Engine } from '../../engine/index.ts';
import { messageOf, RetryableError, TerminalError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { SecretBox } from '../../secrets/index.ts';
import { readEndpointUrl, type WebhookUrlPolicy } from '../endpoint-url.ts';
import { endpointSecretContext } from '../endpoints.ts';
import { createAddressGuard, createGuardedDispatcher, createResolver, type Resolve } from '../guard/index.ts';
import { readSendMessage, type SendMessage } from '../send-message.ts';
import { webhookHeaders } from '../sign.ts';
import { type AttemptFacts, findAttempt, insertAttempt } from './attempt-facts.ts';
import type { PostResult } from './classify.ts';
import { createEndpointLanes } from './endpoint-lanes.ts';
import { post } from './post.ts';

export interface SenderDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'deliver'>;
  readonly secretBox: SecretBox;
  /** Which URLs the operator lets webhooks go to. */
  readonly webhooks: WebhookUrlPolicy;
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1); `Math.random` when left out. */
  readonly random?: () => number;
  /** How host names become addresses; the name servers of this machine when left out. */
  readonly resolve?: Resolve;
  /** PEM of certificate authorities to trust besides the usual ones. */
  readonly certificateAuthorities?: readonly string[];
  readonly limits?: Partial<SenderLimits>;
}

export interface SenderLimits {
  /** One attempt, from the DNS query to the end of the answer, in ms. */
  readonly timeoutMs: number;
  /** Attempts to one endpoint at the same time, per process. */
  readonly maxInFlightPerEndpoint: number;
  /** Attempts that wait in memory for a place of their endpoint, per process. */
  readonly maxParked: number;
  /** Pause after finding this machine without a network, in ms, and how often before the attempt is charged after all. */
  readonly ownFaultPauseMs: number;
  readonly maxOwnFaults: number;
  /** On closing, POSTs that run may end by themselves for this long, in ms. */
  readonly closeGraceMs: number;
}

/** Merchants are told to answer within 10 s; whoever takes a little longer is still heard. */
export const SENDER_LIMITS: SenderLimits = {
  timeoutMs: 15_000,
  maxInFlightPerEndpoint: 4,
  maxParked: 10_000,
  ownFaultPauseMs: 5_000,
  maxOwnFaults: 12,
  closeGraceMs: 5_000,
};

export interface Sender {
  /** Handler of `SEND_QUEUE`. Resolves when the outcome is committed, or when the attempt is parked. */
  readonly handle: BusHandler;
  /** Stops sending. To be called before the bus closes, which waits for running handlers. */
  close(): Promise<void>;
}

/** Makes attempts: reads what is to be sent, POSTs it with no transaction open, and tells the delivery how it went. */
export function createSender(deps: SenderDeps): Sender {
  const limits = { ...SENDER_LIMITS, ...deps.limits };
  const { db, engine, clock, log, webhooks } = deps;
  const random = deps.random ?? Math.random;
  const closing = new AbortController();
  // Every POST that runs listens; their number is bounded by the places of the endpoints.
  setMaxListeners(0, closing.signal);
  let isClosed = false;
  const dispatcher = createGuardedDispatcher({
    isForbidden: createAddressGuard(webhooks.allowCidrs),
    resolve: deps.resolve ?? createResolver(),
    connectTimeoutMs: limits.timeoutMs,
    certificateAuthorities: deps.certificateAuthorities ?? [],
  });
  const lanes = createEndpointLanes({
    maxRunning: limits.maxInFlightPerEndpoint,
    maxParked: limits.maxParked,
    onParkedFailure: (error) => log.warn({ reason: messageOf(error) }, 'a webhook attempt will be asked for again'),
  });

  async function makeAttempt(message: SendMessage): Promise<void> {
    if (isClosed) throw closedError();
    const facts = await whileDatabaseAnswers(() => findAttempt(db, message));
    if (facts === null) return;
    const startedAt = clock.now();
    const began = performance.now();
    const result = facts.endpoint === null ? endpointGone() : await sendPatiently(message, facts, facts.endpoint);
    const durationMs = Math.round(performance.now() - began);
    await report(message, result, { startedAt, durationMs });
  }

  /** Waits out a fault of this machine in the endpoint's own place, so that others keep theirs. */
  async function sendPatiently(
    message: SendMessage,
    facts: AttemptFacts,
    endpoint: NonNullable<AttemptFacts['endpoint']>,
  ): Promise<Charged> {
    for (let faults = 1; ; faults += 1) {
      const result = await sendOnce(message, facts, endpoint);
      if (result.kind !== 'own_fault') return result;
      // A receiver can look like our own fault (only IPv6 where we have none, say), and then must not wait for ever.
      if (faults > limits.maxOwnFaults) return { kind: 'failed', failure: result.failure };
      log.warn({ endpointId: message.endpointId, reason: result.failure.detail }, 'this machine cannot reach out');
      await sleep(limits.ownFaultPauseMs, undefined, { signal: closing.signal }).catch(() => {
        throw closedError();
      });
    }
  }

  async function sendOnce(
    { endpointId, attempt }: SendMessage,
    { webhookEventId, event, body }: AttemptFacts,
    endpoint: NonNullable<AttemptFacts['endpoint']>,
  ): Promise<PostResult> {
    const url = readStoredUrl(endpoint.url, webhooks);
    if ('kind' in url) return url;
    const secret = deps.secretBox.open(endpoint.sealedSecret, endpointSecretContext(endpointId));
    const signed = { webhookEventId, event, body, endpointId, attempt, at: clock.now(), secret };
    return post(
      { dispatcher, timeoutMs: limits.timeoutMs, closing: closing.signal },
      { url, headers: webhookHeaders(signed), body },
    );
  }

  async function report(
    { deliveryId, endpointId, attempt }: SendMessage,
    result: Charged,
    { startedAt, durationMs }: { startedAt: number; durationMs: number },
  ): Promise<void> {
    const failure = result.kind === 'failed' ? result.failure : null;
    const status = result.kind === 'failed' ? result.failure.status : result.status;
    log.debug({ deliveryId, endpointId, attempt, status, failure: failure?.kind, durationMs }, 'webhook attempt made');
    await whileDatabaseAnswers(() => {
      return insertAttempt(db, { deliveryId, attempt, startedAt, durationMs, status, failure });
    });
    const event =
      failure === null
        ? { type: 'sender.attempt_succeeded', attempt, status }
        : { type: 'sender.attempt_failed', attempt, failure, jitter: random() * 2 - 1 };
    await engine.deliver({ actorId: deliveryId, eventId: `attempt:${attempt}:answered`, event });
  }

  return {
    async handle({ data }) {
      const message = readSendMessage(data);
      if (isClosed) throw closedError();
      const key = `${message.deliveryId}:${message.attempt}`;
      return lanes.admit(message.endpointId, key, () => makeAttempt(message));
    },

    async close() {
      isClosed = true;
      const grace = setTimeout(() => closing.abort(closedError()), limits.closeGraceMs);
      await lanes.close();
      clearTimeout(grace);
      closing.abort(closedError());
      await dispatcher.destroy();
    },
  };
}

// Helpers

/** A result that ends the attempt. */
type Charged = Exclude<PostResult, { kind: 'own_fault' }>;

function endpointGone(): Charged {
  return failed('endpoint_gone', 'The endpoint was disabled or removed after the event; enable it to have it sent');
}

function failed(kind: AttemptFailure['kind'], detail: string): Charged {
  return { kind: 'failed', failure: { kind, status: null, detail } };
}

/** Settings may have become stricter since the URL was taken. */
function readStoredUrl(url: string, policy: WebhookUrlPolicy): URL | Charged {
  try {
    return readEndpointUrl(url, policy);
  } catch (error) {
    if (error instanceof TerminalError) return failed('blocked', error.message);
    throw error;
  }
}

function closedError(): RetryableError {
  return new RetryableError('SENDER_CLOSED', 'Webhooks are not sent while the service stops; they are after the start');
}
