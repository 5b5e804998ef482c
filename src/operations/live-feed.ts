import type { Kysely } from 'kysely';
import { MINUTE_MS } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import {
  type ChangesSince,
  indexNewestPages,
  type LiveChange,
  type LivePosition,
  readChangesSince,
  readPosition,
} from './live-changes.ts';

export interface LiveFeedDeps {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly pollEveryMs?: number;
}

export interface LiveListener {
  /** Changes in the order they are told. With `position` as `since`, a later listener goes on behind them. */
  onChanges(changes: readonly LiveChange[], position: LivePosition): void;
  /** Too much has happened to tell it one by one: everything shown must be read anew. */
  onReload(position: LivePosition): void;
}

export interface LiveFeed {
  /**
   * Tells the listener of everything that happens from now on, or since a position. Resolves with the way to leave; with null when
   * there are too many listeners. Rejects with `RetryableError` without database.
   */
  join(listener: LiveListener, since: LivePosition | null): Promise<(() => void) | null>;
  /** Nobody is told any more. Resolves when the look under way is over. */
  stop(): Promise<void>;
}

/** Operators have a few pages open, not thousands. */
const MAX_LIVE_LISTENERS = 500;
const POLL_EVERY_MS = 500;

/**
 * One look at the journal, at most twice a second and only while somebody listens, for all listeners of this process together. The
 * journal is the truth of every process, so it does not matter which one took the steps.
 */
export function createLiveFeed({ db, log, pollEveryMs = POLL_EVERY_MS }: LiveFeedDeps): LiveFeed {
  const listeners = new Set<LiveListener>();
  let position: LivePosition | null = null;
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> = Promise.resolve();
  let indexedAt = Number.NEGATIVE_INFINITY;
  let joining = 0;
  let isStopped = false;
  let isFailing = false;

  function schedule(): void {
    if (timer !== null || isStopped || listeners.size === 0) return;
    timer = setTimeout(() => {
      looking = look().then(() => {
        timer = null;
        // Nobody looks from now on, and a place far behind would only be a reason to read everything anew.
        if (listeners.size + joining === 0) position = null;
        schedule();
      });
    }, pollEveryMs);
  }

  async function look(): Promise<void> {
    try {
      if (performance.now() - indexedAt > MINUTE_MS) {
        await indexNewestPages(db);
        indexedAt = performance.now();
      }
      position ??= await readPosition(db);
      const news = await readChangesSince(db, position);
      position = news.position;
      for (const listener of listeners) tell(listener, news);
      if (isFailing) log.info('changes of actors are followed again');
      isFailing = false;
    } catch (error) {
      // The position stands still: what is missed now is told by the next look.
      if (!isFailing) log.warn({ reason: messageOf(error) }, 'changes of actors cannot be followed at the moment');
      isFailing = true;
    }
  }

  /** A position nobody can have been told: of another database, or from before this one was restored. */
  async function isForeign(since: LivePosition | null): Promise<boolean> {
    return since !== null && since > (position ?? 0) && since > (await readPosition(db));
  }

  /** What a listener has missed is read for it alone, up to where the others are; from there one look serves all. */
  async function catchUp(listener: LiveListener, since: LivePosition | null): Promise<void> {
    const isLost = await isForeign(since);
    position ??= await readPosition(db);
    if (isLost) listener.onReload(position);
    let own = isLost ? position : (since ?? position);
    while (own < position) {
      const news = await readChangesSince(db, own);
      tell(listener, news);
      own = news.position;
    }
    // In the same turn as the last comparison, so that no look can come between.
    listeners.add(listener);
  }

  return {
    async join(listener, since) {
      if (isStopped || listeners.size + joining >= MAX_LIVE_LISTENERS) return null;
      joining += 1;
      try {
        await catchUp(listener, since);
      } finally {
        joining -= 1;
      }
      schedule();
      return () => void listeners.delete(listener);
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      listeners.clear();
      await looking;
    },
  };
}

// Helpers

function tell(listener: LiveListener, { changes, position, isTooMuch }: ChangesSince): void {
  if (isTooMuch) listener.onReload(position);
  else if (changes.length > 0) listener.onChanges(changes, position);
}
