import type { Kysely } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import { createGrouped, type Database } from '../db/index.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { runInContext } from '../request-context.ts';
import { pairKey, timerEventId } from './consequences.ts';
import { type Crash, neverCrash } from './crash-points.ts';
import type { TimerObserver } from './observer.ts';
import { type DueTimer, findHeldLeases, type LeasedTimer, leaseDueTimers } from './sql/lease-due-timers.ts';
import { leaseTimersUntil } from './sql/timers.ts';
import { createTimersInProgress } from './timers-in-progress.ts';
import type { EventCommand } from './types.ts';

export interface TimerServiceDeps {
  readonly db: Kysely<Database>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly crash?: Crash;
  readonly observer?: TimerObserver | undefined;
  readonly pollEveryMs?: number;
  /** Maximum number of timers of one lane that this process may have leased and unaccepted. */
  readonly capacityPerLane?: number;
}

export interface TimerService {
  start(): void;
  /** Polls again immediately: a watermark moved, or a timer was set that may already be due. */
  wake(): void;
  stop(): Promise<void>;
  /**
   * Resolves when every leased timer was published or released. Await it after closing the bus,
   * which ends running publishes, and before closing the database.
   */
  settled(): Promise<void>;
}

const POLL_EVERY_MS = 250;
/**
 * While polls find nothing, the delay doubles each time, up to this multiple of the usual one: a
 * second.
 */
const MAX_BACKOFF_FACTOR = 4;
/** Timers of one lane leased per round. */
const LEASE_ROWS = 500;
/** Two full batches of the engine: one that commits, and one that fills in the meantime. */
const CAPACITY_PER_LANE = 1_000;
/** Poll interval while a lane is full. */
const FULL_POLL_EVERY_MS = 50;
/**
 * Calls of `wake` within this time share one round: a busy engine sets timers with every commit.
 */
const WAKE_AFTER_MS = 10;
/**
 * A timer event that is not accepted within this time is published again with the same event id.
 */
const LEASE_MS = 60_000;

/**
 * Result of a round: more timers are due, a lane is full, all due timers were leased, or none was
 * due.
 */
type Found = 'more' | 'full' | 'all' | 'nothing';

/**
 * Finds due timers and publishes each to its actor as an event, no faster than actors accept them.
 * Any number of processes may run it; each skips rows that others are leasing.
 */
export function createTimerService(deps: TimerServiceDeps): TimerService {
  const crash = deps.crash ?? neverCrash;
  const pollEveryMs = deps.pollEveryMs ?? POLL_EVERY_MS;
  const capacity = deps.capacityPerLane ?? CAPACITY_PER_LANE;
  const inProgress = createTimersInProgress(capacity);
  const release = createGrouped(async (timers: readonly LeasedTimer[]) => {
    await leaseTimersUntil(deps.db, timers, '-infinity');
    return timers;
  });
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<Found> | null = null;
  const publishing = new Set<Promise<void>>();
  let again = false;
  let pauseMs = pollEveryMs;
  let stopped = false;
  let outage = false;
  /**
   * The bus rejected the last publish: until one succeeds, each round tries only one timer per
   * lane.
   */
  let isRejected = false;

  async function poll(): Promise<Found> {
    try {
      let found: Found;
      do found = await round();
      while (found === 'more' && !stopped);
      outage = false;
      return found;
    } catch (error) {
      if (!outage) deps.log.error({ reason: messageOf(error) }, 'due timers could not be read; retrying');
      outage = true;
      return 'nothing';
    }
  }

  async function round(): Promise<Found> {
    const now = deps.clock.now();
    await releaseAccepted(now);
    const limit = Math.min(isRejected ? 1 : LEASE_ROWS, capacity);
    const due = await leaseDueTimers(deps.db, {
      now,
      leaseMs: LEASE_MS,
      limit,
      capacities: inProgress.capacities(limit),
    });
    if (due.length > 0) crash('timers.after_lease');
    const wasRejected = isRejected;
    for (const each of due) {
      if (!inProgress.add(each)) continue;
      deps.observer?.leased(observed(each, now));
      track(publish(each));
    }
    if (!wasRejected && hasMore(due, limit)) return 'more';
    if (inProgress.isFull()) return 'full';
    return due.length > 0 ? 'all' : 'nothing';
  }

  /**
   * Frees the capacity of leases whose row is gone, reset or dead-lettered. Read from the database,
   * because what a resolved `publish` means differs by bus.
   */
  async function releaseAccepted(now: number): Promise<void> {
    const unconfirmed = inProgress.unconfirmed(now);
    if (unconfirmed.length === 0) return;
    const held = await findHeldLeases(deps.db, unconfirmed);
    for (const each of unconfirmed) if (!held.has(pairKey(each.actorId, each.name))) inProgress.remove(each);
  }

  /**
   * Not awaited by the rounds: on the in-process bus this lasts until the actor has accepted the
   * event.
   */
  async function publish(due: LeasedTimer): Promise<void> {
    const command = timerCommand(due);
    // A new message id per lease: the broker must not deduplicate a repeat whose event was never
    // accepted.
    const id = `${due.actorId}:${command.eventId}:${due.leasedUntil}`;
    try {
      await deps.bus.publish({ queue: due.queue, partition: due.partition, id, data: command });
      crash('timers.after_publish');
      isRejected = false;
      inProgress.published(due);
    } catch (error) {
      deps.observer?.publishFailed();
      if (!isRejected)
        deps.log.debug({ actorId: due.actorId, reason: messageOf(error) }, 'a due timer could not be published');
      isRejected = true;
      inProgress.remove(due);
      // If the database is unreachable, the lease simply expires.
      await release(due).catch(() => {});
    }
  }

  function track(each: Promise<void>): void {
    publishing.add(each);
    void each.then(() => publishing.delete(each));
  }

  function schedule(delayMs: number): void {
    if (stopped) return;
    clearTimeout(timer);
    // Run outside the caller's request context, so that it does not leak into the published timers.
    timer = runInContext(null, () => setTimeout(run, delayMs));
  }

  function run(): void {
    again = false;
    polling = poll();
    void polling.then((found) => {
      polling = null;
      pauseMs = found === 'nothing' ? Math.min(2 * pauseMs, MAX_BACKOFF_FACTOR * pollEveryMs) : pollEveryMs;
      const nextMs = found === 'full' ? Math.min(FULL_POLL_EVERY_MS, pollEveryMs) : pauseMs;
      schedule(again ? WAKE_AFTER_MS : nextMs);
    });
  }

  return {
    start: () => schedule(0),
    wake() {
      if (again || timer === undefined) return;
      again = true;
      if (polling === null) schedule(WAKE_AFTER_MS);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await polling;
    },
    async settled() {
      await Promise.all(publishing);
    },
  };
}

/**
 * Returns the event of a due timer. Time timers carry their due time, height timers the height
 * reached.
 */
export function timerCommand(due: DueTimer): EventCommand {
  return {
    actorId: due.actorId,
    eventId: timerEventId(due),
    event: { type: `timer.${due.name}`, ...(due.height === null ? { dueAt: due.dueAt } : { height: due.height }) },
  };
}

// Helpers

/** Whether some lane returned a full round: it may have more due timers. */
function hasMore(due: readonly LeasedTimer[], limit: number): boolean {
  const counts = new Map<string, number>();
  for (const { lane } of due) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= limit);
}

function observed({ gate, firesAt }: LeasedTimer, now: UnixMs): Parameters<TimerObserver['leased']>[0] {
  return { waitsFor: gate === null ? 'clock' : 'chain', lateMs: firesAt === null ? null : Math.max(0, now - firesAt) };
}
