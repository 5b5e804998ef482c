import { setMaxListeners } from 'node:events';
import type { Kysely } from 'kysely';
import type { BusHandler } from '../../bus/index.ts';
import type { Clock } from '../../clock.ts';
import { createGrouped, type Database, whileDatabaseAnswers } from '../../db/index.ts';
import type { Engine } from '../../engine/index.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { SecretBox } from '../../secrets/index.ts';
import type { WebhookUrlPolicy } from '../endpoint-url.ts';
import { createAddressGuard, createGuardedDispatcher, createResolver, type Resolve } from '../guard/index.ts';
import { readSendMessage, type SendMessage } from '../send-message.ts';
import { findAttempts } from './attempt-facts.ts';
import { type AttemptRecord, insertAttempts } from './attempt-log.ts';
import { createBreakers, type Turn } from './breakers.ts';
import { createEndpointLanes, type LaneJob } from './endpoint-lanes.ts';
import { SENDER_LIMITS, type SenderLimits } from './limits.ts';
import { closedError, makeAttempt } from './make-attempt.ts';
import { reportAttempt, reportDeferral } from './report.ts';
import { createRequestTracer } from './request-tracer.ts';

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

export interface Sender {
  /** Handler of `SEND_QUEUE`. Resolves when the outcome is committed, or when the attempt is parked or deferred. */
  readonly handle: BusHandler;
  /** Stops sending. To be called before the bus closes, which waits for running handlers. */
  close(): Promise<void>;
}

/**
 * Makes attempts: reads what is to be sent, POSTs it with no transaction open, and tells the delivery how it went. Attempts
 * to an endpoint that is held back are not made: their deliveries are told when to try again.
 */
export function createSender(deps: SenderDeps): Sender {
  const limits = { ...SENDER_LIMITS, ...deps.limits };
  const { db, clock, log, webhooks } = deps;
  const closing = new AbortController();
  // Every POST that runs listens; their number is bounded by the places of the endpoints.
  setMaxListeners(0, closing.signal);
  let isClosed = false;
  const tracer = createRequestTracer();
  const dispatcher = createGuardedDispatcher({
    isForbidden: createAddressGuard(webhooks.allowCidrs),
    resolve: deps.resolve ?? createResolver(),
    connectTimeoutMs: limits.timeoutMs,
    certificateAuthorities: deps.certificateAuthorities ?? [],
    currentTrace: tracer.current,
  });
  // Attempts of a busy moment share their statements. What is read is read anew for each.
  const findGrouped = createGrouped((messages: readonly SendMessage[]) => findAttempts(db, messages));
  const findFacts = (message: SendMessage) => whileDatabaseAnswers(() => findGrouped(message));
  const logAttempt = createGrouped(async (records: readonly AttemptRecord[]) => {
    await insertAttempts(db, records);
    return records;
  });
  const attemptDeps = { ...deps, findFacts, limits, dispatcher, tracer, closing: closing.signal };
  const reportDeps = { ...deps, logAttempt, random: deps.random ?? Math.random };
  const breakers = createBreakers({ clock });
  const deferrals = new Set<Promise<unknown>>();
  const lanes = createEndpointLanes<Job>({
    maxRunning: limits.maxInFlightPerEndpoint,
    maxParked: limits.maxParked,
    run: attemptInTurn,
    onParkedFailure: willBeAskedAgain,
  });

  async function attemptInTurn({ message }: Job): Promise<void> {
    if (isClosed) throw closedError();
    const turn = breakers.enter(message.endpointId, message);
    if (typeof turn === 'number') return reportDeferral(reportDeps, message, turn);
    const settle = settleOnce(turn);
    try {
      const facts = await findFacts(message);
      if (facts === null) return;
      const made = await makeAttempt(attemptDeps, message, facts);
      if (made === null) return;
      const outcome = made.result.kind === 'delivered' ? 'succeeded' : 'failed';
      const { retryAt, hasOpened } = settle(made.isTelling ? outcome : 'unknown');
      if (hasOpened) holdBack(message.endpointId);
      await reportAttempt(reportDeps, message, made, { isProbe: turn.isProbe, retryAt });
    } finally {
      settle('unknown');
    }
  }

  /** What waits for an endpoint that is held back waits in the database, not here. */
  function holdBack(endpointId: string): void {
    const waiting = lanes.evict(endpointId);
    log.info(
      { endpointId, waiting: waiting.length },
      'a webhook endpoint fails nearly every delivery: it is held back',
    );
    const deferred = deferAll(waiting).catch(willBeAskedAgain);
    deferrals.add(deferred);
    void deferred.then(() => deferrals.delete(deferred));
  }

  async function deferAll(jobs: readonly Job[]): Promise<void> {
    for (let from = 0; from < jobs.length && !isClosed; from += DEFERRALS_AT_ONCE) {
      const some = jobs.slice(from, from + DEFERRALS_AT_ONCE);
      await Promise.all(
        some.map(async (job) => {
          // One that may go again found its endpoint recovered meanwhile.
          if (!(await isDeferred(job))) lanes.admit(job).catch(willBeAskedAgain);
        }),
      );
    }
  }

  async function isDeferred({ endpointId, message }: Job): Promise<boolean> {
    const until = breakers.deferral(endpointId, message);
    if (until !== null) await reportDeferral(reportDeps, message, until);
    return until !== null;
  }

  function willBeAskedAgain(error: unknown): void {
    log.warn({ reason: messageOf(error) }, 'a webhook attempt will be asked for again');
  }

  return {
    async handle({ data }) {
      const job = jobOf(readSendMessage(data));
      if (isClosed) throw closedError();
      // Of what is here already no second copy may be deferred.
      if (lanes.has(job.key)) return;
      if (!(await isDeferred(job))) await lanes.admit(job);
    },

    async close() {
      isClosed = true;
      const grace = setTimeout(() => closing.abort(closedError()), limits.closeGraceMs);
      await lanes.close();
      clearTimeout(grace);
      closing.abort(closedError());
      await Promise.all(deferrals);
      await dispatcher.destroy();
      tracer.close();
    },
  };
}

// Helpers

/** Parked attempts told to come back later in one go: about as many as the engine takes into one commit. */
const DEFERRALS_AT_ONCE = 500;

interface Job extends LaneJob {
  readonly message: SendMessage;
}

function jobOf(message: SendMessage): Job {
  const { endpointId, deliveryId, attempt, isRequested } = message;
  return { endpointId, key: `${deliveryId}:${attempt}`, isUrgent: isRequested, message };
}

/** The first outcome counts. */
function settleOnce(turn: Turn): Turn['settle'] {
  let settled: ReturnType<Turn['settle']> | undefined;
  return (outcome) => {
    settled ??= turn.settle(outcome);
    return settled;
  };
}
