import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { MINUTE_MS } from '../../../machines/index.ts';
import type { Bus } from '../bus/index.ts';
import type { Database } from '../db/index.ts';
import { messageOf, RetryableError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createPollLoop } from '../poll-loop.ts';
import { logFieldsOf, parseContext } from '../request-context.ts';
import { settledWithin } from '../within.ts';
import { type Crash, neverCrash } from './crash-points.ts';
import type { RelayObserver } from './observer.ts';
import { insertDeadLetters } from './sql/dead-letters.ts';
import { deleteOutbox, findOverdueMessages, markPublished } from './sql/outbox.ts';
import type { OutgoingMessage } from './types.ts';

export interface RelayDeps {
  readonly db: Kysely<Database>;
  readonly bus: Bus;
  readonly log: Log;
  readonly crash?: Crash;
  readonly observer?: RelayObserver | undefined;
  /** Age after which the sweeper publishes a message: the process that wrote it did not. */
  readonly unpublishedAfterMs?: number;
  /**
   * Queues whose messages stay in the outbox until `settled`, because nothing else recreates them
   * if the broker loses them.
   */
  readonly retainedQueues?: ReadonlySet<string>;
  /**
   * A message of a retained queue that is not settled this long after it was published is published
   * again.
   */
  readonly lostAfterMs?: number;
  readonly sweepEveryMs?: number;
}

export interface Relay {
  /**
   * Publishes committed messages and hints immediately. Never throws; failures are left to the
   * sweeper.
   */
  publish(messages: readonly OutgoingMessage[]): void;
  /** Call when a message of a retained queue was handled or dead-lettered. Never throws. */
  settled(messageId: string): void;
  start(): void;
  /**
   * Stops sweeping, waits a moment for running publishes and removes published rows. Close the bus
   * before or at the same time: an in-process handler may take any time. Unpublished messages stay
   * in the outbox.
   */
  stop(): Promise<void>;
}

const UNPUBLISHED_AFTER_MS = 10_000;
/**
 * Longer than a live broker takes to redeliver a message, and longer than its deduplication window.
 */
const LOST_AFTER_MS = 5 * MINUTE_MS;
const SWEEP_EVERY_MS = 2_000;
const SWEEP_ROWS = 500;
/** Published messages are deleted in batches, after this delay. */
const DELETE_AFTER_MS = 20;
const MAX_DELETE_ROWS = 1_000;
/** Delay before a failed deletion is retried. Until then sweeps skip these rows. */
const DELETE_RETRY_MS = 1_000;
/**
 * How long a sweep, and `stop`, wait for running publishes. In-process handlers may take longer.
 */
const PUBLISH_WAIT_MS = 1_000;
/** Hints of one call that are sent before the first are awaited: the broker acknowledges each. */
export const MAX_HINTS_AT_ONCE = 5_000;

/**
 * Publishes outbox messages. The process that committed a message publishes it immediately; a
 * sweeper publishes what crashes and outages left behind. A row is deleted only after the broker
 * has accepted the message; in retained queues only after a handler has settled it, so that a
 * broker that loses its storage loses none of them.
 */
export function createRelay(deps: RelayDeps): Relay {
  const crash = deps.crash ?? neverCrash;
  const inFlight = new Map<string, Promise<boolean>>();
  /** Ids to delete. */
  let published: string[] = [];
  /** Ids of retained queues that the broker has accepted, to be marked as published. */
  let accepted: string[] = [];
  let deleting: Promise<void> | null = null;
  const waking = new AbortController();
  let stopped = false;
  let outage = false;

  function publishOne(message: OutgoingMessage): Promise<boolean> {
    const running = inFlight.get(message.id);
    if (running !== undefined) return running;
    crash('outbox.before_publish');
    const publishing = publishObserved(message).then(
      () => {
        crash('outbox.after_publish');
        (deps.retainedQueues?.has(message.queue) ? accepted : published).push(message.id);
        scheduleDelete();
        logOutageChange(null);
        return true;
      },
      async (error: unknown) => {
        if (!(error instanceof RetryableError)) return deadLetter(message, messageOf(error));
        logOutageChange(error);
        return false;
      },
    );
    inFlight.set(message.id, publishing);
    void publishing.then(() => inFlight.delete(message.id));
    return publishing;
  }

  async function publishObserved(message: OutgoingMessage): Promise<void> {
    const began = performance.now();
    const observe = (outcome: 'published' | 'rejected' | 'unreachable') =>
      deps.observer?.published({ queue: message.queue, outcome, durationMs: performance.now() - began });
    try {
      await deps.bus.publish(message);
    } catch (error) {
      observe(error instanceof RetryableError ? 'unreachable' : 'rejected');
      throw error;
    }
    observe('published');
  }

  /** The feature itself finds the work of a lost hint. */
  async function publishHints(hints: readonly OutgoingMessage[]): Promise<void> {
    for (let from = 0; from < hints.length && !stopped; from += MAX_HINTS_AT_ONCE) {
      await settledWithin(hints.slice(from, from + MAX_HINTS_AT_ONCE).map(publishObserved), PUBLISH_WAIT_MS);
    }
  }

  /**
   * Dead-letters a message that the bus permanently rejects, so that it does not block the others.
   */
  async function deadLetter(message: OutgoingMessage, reason: string): Promise<boolean> {
    const { queue, id: messageId, data } = message;
    const context = logFieldsOf(parseContext(message.trace ?? null));
    deps.log.error(
      { queue, messageId, reason, ...context },
      'the bus rejected a message permanently; it becomes a dead letter',
    );
    try {
      await insertDeadLetters(deps.db, [{ queue, messageId, actorId: null, data, reason }]);
    } catch {
      return false; // Stays in the outbox; a later sweep retries it.
    }
    published.push(messageId);
    scheduleDelete();
    return true;
  }

  /** Logs once when publishing starts to fail and once when it recovers. */
  function logOutageChange(error: unknown): void {
    if (stopped) return;
    if (error !== null && !outage)
      deps.log.error({ reason: messageOf(error) }, 'the bus is unavailable; messages stay in the outbox');
    if (error === null && outage) deps.log.info('the bus is available again');
    outage = error !== null;
  }

  function scheduleDelete(): void {
    deleting ??= deleteSoon().finally(() => {
      deleting = null;
      if (hasUnsettled() && !stopped) scheduleDelete();
    });
  }

  async function deleteSoon(): Promise<void> {
    await sleep(DELETE_AFTER_MS, waking.signal);
    if (!(await settlePublished())) await sleep(DELETE_RETRY_MS, waking.signal);
  }

  const hasUnsettled = () => published.length > 0 || accepted.length > 0;

  async function settlePublished(): Promise<boolean> {
    const marks = accepted.slice(0, MAX_DELETE_ROWS);
    const ids = published.slice(0, MAX_DELETE_ROWS);
    try {
      // Mark first: messages that are already settled are deleted by the second statement.
      await markPublished(deps.db, marks);
      accepted = accepted.slice(marks.length);
      await deleteOutbox(deps.db, ids);
      published = published.slice(ids.length);
      crash('outbox.after_delete');
      return true;
    } catch (error) {
      // After a restart they are published again with the same ids.
      deps.log.warn({ reason: messageOf(error) }, 'published messages could not be marked or removed in the outbox');
      return false;
    }
  }

  const sweeper = createPollLoop({
    async work(stopping) {
      const { unpublishedAfterMs: olderThanMs = UNPUBLISHED_AFTER_MS, lostAfterMs = LOST_AFTER_MS } = deps;
      for (let isFull = true; isFull && !stopping.aborted; ) {
        const except = [...inFlight.keys(), ...published, ...accepted];
        const overdue = await findOverdueMessages(deps.db, { olderThanMs, lostAfterMs, limit: SWEEP_ROWS, except });
        let [running, failures] = [overdue.length, 0];
        const publishing = overdue.map(async (message) => {
          if (!(await publishOne(message))) failures += 1;
          running -= 1;
        });
        await settledWithin(publishing, PUBLISH_WAIT_MS);
        isFull = overdue.length === SWEEP_ROWS && (running > 0 || failures === 0);
      }
    },
    everyMs: deps.sweepEveryMs ?? SWEEP_EVERY_MS,
    onFailure: (error) => deps.log.warn({ reason: messageOf(error) }, 'the outbox could not be swept; retrying'),
  });

  return {
    publish(messages) {
      for (const message of messages) if (!message.isHint) void publishOne(message);
      void publishHints(messages.filter(({ isHint }) => isHint));
    },
    settled(messageId) {
      published.push(messageId);
      scheduleDelete();
    },
    start: sweeper.start,
    async stop() {
      stopped = true;
      waking.abort();
      await sweeper.stop();
      await settledWithin(inFlight.values(), PUBLISH_WAIT_MS);
      await deleting;
      while (hasUnsettled() && (await settlePublished()));
    },
  };
}

// Helpers

/** Resolves early when aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeoutPromise(ms, undefined, { signal }).catch(() => {});
}
