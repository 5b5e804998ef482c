import type { UnixMs } from '../../../machines/index.ts';
import { pairKey } from './consequences.ts';
import type { LeasedTimer } from './sql/lease-due-timers.ts';

/**
 * Timers that this process has leased and whose events are not accepted yet. Capacity is limited
 * per lane, which bounds memory and messages on the bus, and a lane with slow actors uses no
 * capacity of another.
 */
export interface TimersInProgress {
  /**
   * False when an earlier publish of this timer is still pending: it must not be published twice.
   */
  add(timer: LeasedTimer): boolean;
  /** The bus has accepted the event. */
  published(timer: LeasedTimer): void;
  remove(timer: LeasedTimer): void;
  /**
   * Published timers whose leases have not expired: their events may have been accepted by now.
   * Removes expired ones.
   */
  unconfirmed(now: UnixMs): LeasedTimer[];
  /** Free capacity of each lane that has less than `limit`. */
  capacities(limit: number): Map<string, number>;
  /** Whether some lane has no free capacity. */
  isFull(): boolean;
}

/** Creates an empty set of at most `capacity` timers per lane. */
export function createTimersInProgress(capacity: number): TimersInProgress {
  const entries = new Map<string, Entry>();
  const used = new Map<string, number>();

  /** The entry for exactly this setting of the timer. */
  function entryOf(timer: LeasedTimer): Entry | undefined {
    const entry = entries.get(keyOf(timer));
    return entry?.timer.setBySequence === timer.setBySequence ? entry : undefined;
  }

  function remove(timer: LeasedTimer): void {
    if (entryOf(timer) === undefined) return;
    entries.delete(keyOf(timer));
    const left = (used.get(timer.lane) ?? 0) - 1;
    if (left > 0) used.set(timer.lane, left);
    else used.delete(timer.lane);
  }

  return {
    add(timer) {
      const same = entryOf(timer);
      const isPublishing = same !== undefined && !same.isPublished;
      const former = entries.get(keyOf(timer));
      if (former !== undefined) remove(former.timer);
      entries.set(keyOf(timer), { timer, isPublished: false });
      used.set(timer.lane, (used.get(timer.lane) ?? 0) + 1);
      return !isPublishing;
    },
    published(timer) {
      const entry = entryOf(timer);
      if (entry !== undefined) entry.isPublished = true;
    },
    remove,
    unconfirmed(now) {
      const known = [...entries.values()].filter(({ isPublished }) => isPublished).map(({ timer }) => timer);
      // The lease has expired: another process may have leased the timer.
      for (const timer of known) if (timer.leasedUntil <= now) remove(timer);
      return known.filter((timer) => timer.leasedUntil > now);
    },
    capacities(limit) {
      const capacities = new Map<string, number>();
      for (const [lane, count] of used)
        if (capacity - count < limit) capacities.set(lane, Math.max(0, capacity - count));
      return capacities;
    },
    isFull: () => [...used.values()].some((count) => count >= capacity),
  };
}

// Helpers

interface Entry {
  readonly timer: LeasedTimer;
  isPublished: boolean;
}

/** At most one setting of a timer is leased at a time. */
function keyOf({ actorId, name }: LeasedTimer): string {
  return pairKey(actorId, name);
}
