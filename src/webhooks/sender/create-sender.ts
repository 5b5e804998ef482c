import { setMaxListeners } from 'node:events';
import type { Kysely } from 'kysely';
import { deliveryMachine, HOUR_MS, type UnixMs } from '../../../machines/index.ts';
import type { BusHandler } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createGrouped, type Database } from '../../platform/db/index.ts';
import type { Engine } from '../../platform/engine/index.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import {
  bindRequestContext,
  currentContext,
  type RequestContext,
  runInContext,
} from '../../platform/request-context.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { noTracer, type Tracer } from '../../platform/tracer.ts';
import { allowedBlocks, type WebhookUrlPolicy } from '../endpoint-url.ts';
import { createAddressGuard } from '../guard/address-guard.ts';
import { createGuardedDispatcher } from '../guard/dispatcher.ts';
import { createResolver, type Resolve } from '../guard/resolve.ts';
import { firstAttempt, readSendMessage, type SendMessage } from '../send-message.ts';
import { type AttemptRecord, insertAttempts } from './attempt-log.ts';
import { createBacklogCheck } from './backlog.ts';
import { createBreakers, settleOnce } from './breakers.ts';
import { attemptKeyOf, createClaims } from './claims.ts';
import { createDeferrals, type DeferrableJob, type Deferrals } from './deferrals.ts';
import { createEndpointLanes, type LaneJob, type LaneResult } from './endpoint-lanes.ts';
import { SENDER_LIMITS, type SenderLimits } from './limits.ts';
import { type AttemptResult, closedError, makeAttempt } from './make-attempt.ts';
import type { SenderObserver } from './observer.ts';
import { createAttemptPacer } from './pace-attempts.ts';
import { reportUntilAcknowledged } from './report.ts';
import { createRequestTracer } from './request-tracer.ts';
import { startStrandedSweeper } from './stranded.ts';
import { traceAttempt } from './trace-attempt.ts';

export interface SenderDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'deliver' | 'start'>;
  readonly secretBox: SecretBox;
  /** Which URLs are allowed. */
  readonly webhooks: WebhookUrlPolicy;
  readonly clock: Clock;
  readonly log: Log;
  /** Records a span per attempt; no tracing if omitted. */
  readonly tracer?: Tracer;
  /** Uniform in [0, 1); `Math.random` if omitted. */
  readonly random?: () => number;
  /** Resolves host names; uses the name servers of this machine if omitted. */
  readonly resolve?: Resolve;
  /** PEM of certificate authorities trusted in addition to the built-in ones. */
  readonly certificateAuthorities?: readonly string[];
  readonly limits?: Partial<SenderLimits>;
  readonly observer?: SenderObserver | undefined;
}

export interface Sender {
  /**
   * Handler of `SEND_QUEUE`. Resolves when the outcome is committed, or when the attempt waits
   * for a slot or is deferred.
   */
  readonly handle: BusHandler;
  /** Stops sending. Call before closing the bus, which waits for running handlers. */
  close(): Promise<void>;
}

/**
 * Sends attempts: claims each one, POSTs it with no transaction open, and reports the outcome to
 * the delivery. Attempts to a paused endpoint are not sent: their deliveries are deferred.
 */
export function createSender(deps: SenderDeps): Sender {
  const limits = { ...SENDER_LIMITS, ...deps.limits };
  const { db, clock, log, webhooks } = deps;
  const closing = new AbortController();
  // Every running POST adds a listener; the slots of the endpoints bound their number.
  setMaxListeners(0, closing.signal);
  let isClosed = false;
  const tracer = createRequestTracer();
  const dispatcher = createGuardedDispatcher({
    isForbidden: createAddressGuard(allowedBlocks(webhooks)),
    resolve: deps.resolve ?? createResolver({ hasPrivateReceivers: webhooks.allowCidrs.length > 0 }),
    connectTimeoutMs: limits.timeoutMs,
    certificateAuthorities: deps.certificateAuthorities ?? [],
    currentTrace: tracer.current,
  });
  // A longer response timeout requires a longer claim.
  const claims = createClaims({ db, log, claimMs: Math.max(limits.claimMs, 2 * limits.timeoutMs) });
  // Under load, attempts share a statement.
  const logAttempt = createGrouped(async (records: readonly AttemptRecord[]) => {
    await insertAttempts(db, records);
    return records;
  });
  const spans = deps.tracer ?? noTracer;
  const attemptDeps = { ...deps, claims, limits, dispatcher, tracer, closing: closing.signal };
  const reportDeps = { ...deps, logAttempt, random: deps.random ?? Math.random, closing: closing.signal };
  const breakers = createBreakers({ clock });
  const pacer = createAttemptPacer(db);
  const backlog = createBacklogCheck(db, limits.maxUnpausedBacklog);
  const deferrals: Deferrals<Job> = createDeferrals<Job>({
    engine: deps.engine,
    clock,
    observer: deps.observer,
    heldBackUntil,
    admit: (job) => lanes.admit(job),
    onBackgroundFailure: logRetry,
  });
  const lanes = createEndpointLanes<Job>({
    minRunning: limits.minInFlightPerEndpoint,
    maxRunning: limits.maxInFlightPerEndpoint,
    maxRunningOverall: limits.maxInFlight,
    maxExtraPerEndpoint: limits.maxExtraPerEndpoint,
    maxExtra: limits.maxExtra,
    maxWaiting: limits.maxWaiting,
    run: (job) => runInContext(job.context, () => attempt(job)),
    // A job that got a slot just before closing is settled like a waiting one.
    onBackgroundFailure: (error, job) =>
      isClosed ? deferrals.inBackground(deferrals.defer(job, clock.now(), 'stopping')) : logRetry(error),
    now: clock.now,
    defer: (job, delayMs) => deferrals.defer(job, clock.now() + Math.ceil(delayMs), 'backlog'),
  });

  const sweeper = startStrandedSweeper({
    db,
    log,
    settledAfterMs: limits.settledAfterMs,
    async passOn(delivery) {
      if (lanes.has(attemptKeyOf(firstAttempt(delivery)))) return;
      const { deliveryId: actorId, endpointId, webhookEventId } = delivery;
      // The chart requests the first attempt itself, and its 24 hours start now.
      const input = { deliveryId: actorId, endpointId, webhookEventId, earlierAttempts: 0 };
      await deps.engine.start({ kind: deliveryMachine.id, actorId, startKey: null, input });
    },
  });

  async function attempt(job: Job): Promise<LaneResult> {
    const { message } = job;
    if (isClosed) throw closedError();
    await resetBreakerOfSmallBacklog(message.endpointId);
    const permit = breakers.enter(message.endpointId, message);
    if (typeof permit === 'number') {
      await deferrals.defer(job, permit, 'held_back');
      return 'none';
    }
    const settle = settleOnce(permit);
    try {
      const claimed = await claims.take(message);
      if (claimed === null) return 'none';
      bindRequestContext({ merchantId: claimed.merchantId });
      await pacer.waitForTurn(message.endpointId, claimed.endpoint?.maxPerSecond ?? null);
      const made = await traceAttempt(spans, { message, claimed }, () => makeAttempt(attemptDeps, message, claimed));
      if (made === null) return 'none';
      deps.observer?.attempted(observed(made));
      const outcome = made.result.kind === 'delivered' ? 'succeeded' : 'failed';
      const { retryAt, hasOpened } = settle(made.isAboutEndpoint ? outcome : 'unknown');
      if (hasOpened) deferrals.inBackground(holdBack(message.endpointId));
      const { webhookEventId, owedSince } = claimed;
      const owed = owedSince === null ? undefined : { webhookEventId, since: freshSince(owedSince) };
      await reportUntilAcknowledged(reportDeps, { ...message, owed }, made, { isProbe: permit.isProbe, retryAt });
      claims.forget(message);
      return outcome;
    } finally {
      settle('unknown');
      await claims.release(message);
    }
  }

  /** Attempts for an endpoint that is held back wait in the database, not in memory. */
  async function holdBack(endpointId: string): Promise<void> {
    await resetBreakerOfSmallBacklog(endpointId);
    if (!breakers.isOpen(endpointId)) return;
    const waiting = lanes.evict(endpointId);
    log.info(
      { endpointId, waiting: waiting.length },
      'a webhook endpoint fails nearly every delivery: deliveries to it are paused',
    );
    await deferrals.deferAllHeldBack(waiting);
  }

  /**
   * Only endpoints with many unfinished deliveries are held back; attempts of the others are sent
   * when due.
   */
  async function resetBreakerOfSmallBacklog(endpointId: string): Promise<void> {
    if (breakers.isOpen(endpointId) && !(await backlog.isLarge(endpointId))) breakers.reset(endpointId);
  }

  async function heldBackUntil({ endpointId, message }: Job): Promise<UnixMs | null> {
    await resetBreakerOfSmallBacklog(endpointId);
    return breakers.deferral(endpointId, message);
  }

  /** After hours without a sender, the time for all attempts starts with the first one. */
  function freshSince(since: UnixMs): UnixMs {
    return clock.now() - since > FRESH_MS ? clock.now() : since;
  }

  function withFreshSince({ owed, ...message }: SendMessage): SendMessage {
    return owed === undefined ? message : { ...message, owed: { ...owed, since: freshSince(owed.since) } };
  }

  function logRetry(error: unknown): void {
    log.warn({ reason: messageOf(error) }, 'a webhook attempt could not be processed; it will be retried');
  }

  return {
    async handle({ data }) {
      const message = withFreshSince(readSendMessage(data));
      bindRequestContext({ actorId: message.deliveryId });
      const job = jobOf(message, currentContext(), pacer.isLimited(message.endpointId));
      if (isClosed) throw closedError();
      // A second copy of a job already in memory must not be deferred.
      if (lanes.has(job.key)) return;
      if (await deferrals.deferHeldBack(job)) return;
      if (isClosed) throw closedError();
      await lanes.admit(job);
    },

    async close() {
      isClosed = true;
      const swept = sweeper.stop();
      pacer.close();
      const grace = setTimeout(() => closing.abort(closedError()), limits.closeGraceMs);
      await deferrals.deferWaiting(lanes.evictAll(), limits.closeGraceMs).catch(logRetry);
      await lanes.close();
      clearTimeout(grace);
      closing.abort(closedError());
      await Promise.all([swept, deferrals.settled()]);
      claims.close();
      await dispatcher.destroy();
      tracer.close();
    },
  };
}

// Helpers

const FRESH_MS = HOUR_MS;

interface Job extends LaneJob, DeferrableJob {}

function jobOf(message: SendMessage, context: RequestContext | null, isLimited: boolean): Job {
  const { endpointId, attempt, isRequested, isOverdue } = message;
  // Extra slots would only wait for the rate limit.
  const isTimeCritical = (attempt > 1 || isOverdue) && !isLimited;
  return { endpointId, key: attemptKeyOf(message), isUrgent: isRequested, isTimeCritical, message, context };
}

function observed({ result, durationMs }: AttemptResult): Parameters<SenderObserver['attempted']>[0] {
  return { outcome: result.kind === 'delivered' ? 'delivered' : result.failure.kind, durationMs };
}
