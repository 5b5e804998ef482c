import type { UnixMs } from '../../machines/index.ts';
import { pairKey } from './consequences.ts';
import type { LeasedTimer } from './sql/lease-timers.ts';

/**
 * The timers this process has leased and whose events nobody has taken yet. Each lane has so many places, so what is held in
 * memory and on the bus is bounded, and a lane whose actors are slow takes no place of another.
 */
export interface TimersUnderWay {
  /** False when the bus has not taken the event of an earlier lease yet: it is not to be published twice. */
  add(timer: LeasedTimer): boolean;
  /** The bus has the event. */
  published(timer: LeasedTimer): void;
  remove(timer: LeasedTimer): void;
  /** Those the bus has, whose leases have not run out: by now their events may have been taken. Forgets run-out ones. */
  toAskFor(now: UnixMs): LeasedTimer[];
  /** Places left of each lane that has fewer than `limit`. */
  rooms(limit: number): Map<string, number>;
  /** Whether some lane has no place left. */
  isFull(): boolean;
}

/** Makes a book without any timer, with `places` for each lane. */
export function createTimersUnderWay(places: number): TimersUnderWay {
  const entries = new Map<string, Entry>();
  const taken = new Map<string, number>();

  /** The entry of this very setting of the timer. */
  function entryOf(timer: LeasedTimer): Entry | undefined {
    const entry = entries.get(keyOf(timer));
    return entry?.timer.setBySequence === timer.setBySequence ? entry : undefined;
  }

  function remove(timer: LeasedTimer): void {
    if (entryOf(timer) === undefined) return;
    entries.delete(keyOf(timer));
    const left = (taken.get(timer.lane) ?? 0) - 1;
    if (left > 0) taken.set(timer.lane, left);
    else taken.delete(timer.lane);
  }

  return {
    add(timer) {
      const same = entryOf(timer);
      const isPublishing = same !== undefined && !same.isPublished;
      const former = entries.get(keyOf(timer));
      if (former !== undefined) remove(former.timer);
      entries.set(keyOf(timer), { timer, isPublished: false });
      taken.set(timer.lane, (taken.get(timer.lane) ?? 0) + 1);
      return !isPublishing;
    },
    published(timer) {
      const entry = entryOf(timer);
      if (entry !== undefined) entry.isPublished = true;
    },
    remove,
    toAskFor(now) {
      const known = [...entries.values()].filter(({ isPublished }) => isPublished).map(({ timer }) => timer);
      // Whoever looks next may have the timer by now, and its lease tells us nothing more.
      for (const timer of known) if (timer.leasedUntil <= now) remove(timer);
      return known.filter((timer) => timer.leasedUntil > now);
    },
    rooms(limit) {
      const rooms = new Map<string, number>();
      for (const [lane, count] of taken) if (places - count < limit) rooms.set(lane, Math.max(0, places - count));
      return rooms;
    },
    isFull: () => [...taken.values()].some((count) => count >= places),
  };
}

// Helpers

interface Entry {
  readonly timer: LeasedTimer;
  isPublished: boolean;
}

/** Two settings of one timer never wait at once. */
function keyOf({ actorId, name }: LeasedTimer): string {
  return pairKey(actorId, name);
}
