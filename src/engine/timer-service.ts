import type { Kysely } from 'kysely';
import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { timerEventId } from './consequences.ts';
import { type Crash, neverCrash } from './crash-points.ts';
import { type DueTimer, leaseDueTimers, releaseTimers } from './sql/timers.ts';
import type { EventCommand } from './types.ts';

export interface TimerServiceDeps {
  readonly db: Kysely<Database>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly crash?: Crash;
  readonly pollEveryMs?: number;
}

export interface TimerService {
  start(): void;
  /** Looks again right away: a watermark has moved or a timer was set that may be due. */
  wake(): void;
  stop(): Promise<void>;
}

const POLL_EVERY_MS = 250;
const LEASE_ROWS = 500;
/** Wakings within this time are one round: a busy engine sets timers with every commit. */
const WAKE_AFTER_MS = 10;
/** A published timer event that has not been accepted by then is published again, under the same event id. */
const LEASE_MS = 60_000;

/** Finds due timers and sends each to its actor as an event. Any number of processes may run one. */
export function createTimerService(deps: TimerServiceDeps): TimerService {
  const crash = deps.crash ?? neverCrash;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let outage = false;

  async function poll(): Promise<void> {
    try {
      for (let full = true; full && !stopped; ) {
        const due = await leaseDueTimers(deps.db, { now: deps.clock.now(), leaseMs: LEASE_MS, limit: LEASE_ROWS });
        if (due.length > 0) crash('timers.after_lease');
        for (const each of due) void publish(each);
        full = due.length === LEASE_ROWS;
      }
      outage = false;
    } catch (error) {
      if (!outage) deps.log.error({ reason: messageOf(error) }, 'due timers cannot be read; trying again');
      outage = true;
    }
  }

  /** Not awaited by the rounds: with the in-process bus this lasts until the actor has taken the event. */
  async function publish(due: DueTimer): Promise<void> {
    const command = timerCommand(due);
    // A new id per lease: the broker must not drop the repetition of a message whose event was never accepted.
    const id = `${due.actorId}:${command.eventId}:${deps.clock.now()}`;
    try {
      await deps.bus.publish({ queue: due.queue, partition: due.partition, id, data: command });
      crash('timers.after_publish');
    } catch (error) {
      deps.log.debug({ reason: messageOf(error) }, 'a due timer could not be published');
      // Losing the database here only means that the lease runs out by itself.
      await releaseTimers(deps.db, [due]).catch(() => {});
    }
  }

  function schedule(delayMs: number): void {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(run, delayMs);
  }

  function run(): void {
    again = false;
    polling = poll().finally(() => {
      polling = null;
      schedule(again ? WAKE_AFTER_MS : (deps.pollEveryMs ?? POLL_EVERY_MS));
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
