import type { Kysely } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import { createGrouped, type Database } from '../db/index.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { inWork } from '../work-context.ts';
import { pairKey, timerEventId } from './consequences.ts';
import { type Crash, neverCrash } from './crash-points.ts';
import type { TimerObserver } from './observer.ts';
import {
  type DueTimer,
  findStandingLeases,
  type LeasedTimer,
  leaseDueTimers,
  releaseTimers,
} from './sql/lease-timers.ts';
import { createTimersUnderWay } from './timers-under-way.ts';
import type { EventCommand } from './types.ts';

export interface TimerServiceDeps {
  readonly db: Kysely<Database>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly crash?: Crash;
  readonly observer?: TimerObserver | undefined;
  readonly pollEveryMs?: number;
  /** Timers of one lane that may be leased by this process and not taken by their actors. */
  readonly placesPerLane?: number;
}

export interface TimerService {
  start(): void;
  /** Looks again right away: a watermark has moved or a timer was set that may be due. */
  wake(): void;
  /** Leases no more timers. */
  stop(): Promise<void>;
  /**
   * Resolves when every leased timer is with the bus or is free again. To be awaited between the end of the bus, which ends
   * what is being published, and the end of the database.
   */
  settled(): Promise<void>;
}

const POLL_EVERY_MS = 250;
/** While rounds find nothing, each waits twice as long as the one before, up to this many times as long as usual: a second. */
const MOST_PATIENCE = 4;
/** Timers of one lane that one round takes. */
const LEASE_ROWS = 500;
/** Two full batches of the engine: one that commits and one that gathers. */
const PLACES_PER_LANE = 1_000;
/** While a lane is full, this is how often its places are looked after. */
const FULL_POLL_EVERY_MS = 50;
/** Wakings within this time are one round: a busy engine sets timers with every commit. */
const WAKE_AFTER_MS = 10;
/** A published timer event that has not been accepted by then is published again, under the same event id. */
const LEASE_MS = 60_000;

/** What a round found: more is due, a lane is full, all that was due, or nothing. */
type Found = 'more' | 'full' | 'all' | 'nothing';

/**
 * Finds due timers and sends each to its actor as an event, no faster than the actors take them. Any number of processes may
 * run one; each takes what the others leave.
 */
export function createTimerService(deps: TimerServiceDeps): TimerService {
  const crash = deps.crash ?? neverCrash;
  const pollEveryMs = deps.pollEveryMs ?? POLL_EVERY_MS;
  const places = deps.placesPerLane ?? PLACES_PER_LANE;
  const underWay = createTimersUnderWay(places);
  const release = createGrouped(async (timers: readonly LeasedTimer[]) => {
    await releaseTimers(deps.db, timers);
    return timers;
  });
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<Found> | null = null;
  const publishing = new Set<Promise<void>>();
  let again = false;
  let pauseMs = pollEveryMs;
  let stopped = false;
  let outage = false;
  /** The bus refused the last event it was given: until it takes one, rounds only try it with one of each lane. */
  let isRefused = false;

  async function poll(): Promise<Found> {
    try {
      let found: Found;
      do found = await round();
      while (found === 'more' && !stopped);
      outage = false;
      return found;
    } catch (error) {
      if (!outage) deps.log.error({ reason: messageOf(error) }, 'due timers cannot be read; trying again');
      outage = true;
      return 'nothing';
    }
  }

  async function round(): Promise<Found> {
    const now = deps.clock.now();
    await forgetTaken(now);
    const limit = Math.min(isRefused ? 1 : LEASE_ROWS, places);
    const due = await leaseDueTimers(deps.db, { now, leaseMs: LEASE_MS, limit, rooms: underWay.rooms(limit) });
    if (due.length > 0) crash('timers.after_lease');
    const wasRefused = isRefused;
    for (const each of due) {
      if (!underWay.add(each)) continue;
      deps.observer?.taken(observed(each, now));
      track(publish(each));
    }
    if (!wasRefused && hasMore(due, limit)) return 'more';
    if (underWay.isFull()) return 'full';
    return due.length > 0 ? 'all' : 'nothing';
  }

  /** A place is free when the row of its timer is gone, set anew or set aside: what the bus says of it differs by bus. */
  async function forgetTaken(now: number): Promise<void> {
    const asked = underWay.toAskFor(now);
    if (asked.length === 0) return;
    const standing = await findStandingLeases(deps.db, asked);
    for (const each of asked) if (!standing.has(pairKey(each.actorId, each.name))) underWay.remove(each);
  }

  /** Not awaited by the rounds: with the in-process bus this lasts until the actor has taken the event. */
  async function publish(due: LeasedTimer): Promise<void> {
    const command = timerCommand(due);
    // A new id per lease: the broker must not drop the repetition of a message whose event was never accepted.
    const id = `${due.actorId}:${command.eventId}:${due.leasedUntil}`;
    try {
      await deps.bus.publish({ queue: due.queue, partition: due.partition, id, data: command });
      crash('timers.after_publish');
      isRefused = false;
      underWay.published(due);
    } catch (error) {
      deps.observer?.publishFailed();
      if (!isRefused)
        deps.log.debug({ actorId: due.actorId, reason: messageOf(error) }, 'a due timer could not be published');
      isRefused = true;
      underWay.remove(due);
      // Losing the database here only means that the lease runs out by itself.
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
    // Rounds belong to nobody: the work of whoever wakes them must not stick to the timers of others.
    timer = inWork(null, () => setTimeout(run, delayMs));
  }

  function run(): void {
    again = false;
    polling = poll();
    void polling.then((found) => {
      polling = null;
      pauseMs = found === 'nothing' ? Math.min(2 * pauseMs, MOST_PATIENCE * pollEveryMs) : pollEveryMs;
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

/** The event a due timer stands for. Time timers carry when they were due, height timers the height reached. */
export function timerCommand(due: DueTimer): EventCommand {
  return {
    actorId: due.actorId,
    eventId: timerEventId(due),
    event: { type: `timer.${due.name}`, ...(due.height === null ? { dueAt: due.dueAt } : { height: due.height }) },
  };
}

// Helpers

/** Whether some lane gave a whole round of timers: then it may have more, and places for them. */
function hasMore(due: readonly LeasedTimer[], limit: number): boolean {
  const counts = new Map<string, number>();
  for (const { lane } of due) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= limit);
}

function observed({ gate, firesAt }: LeasedTimer, now: UnixMs): Parameters<TimerObserver['taken']>[0] {
  return { waitsFor: gate === null ? 'clock' : 'chain', lateMs: firesAt === null ? null : Math.max(0, now - firesAt) };
}
