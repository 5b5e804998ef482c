import type { Kysely } from 'kysely';
import { MINUTE_MS } from '../../machines/index.ts';
import { type Database, isContinued, type TransactionHorizon } from '../db/index.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { inWork } from '../work-context.ts';
import {
  type ChangesSince,
  formatPosition,
  indexNewestPages,
  type LiveChange,
  type LivePosition,
  parsePosition,
  readChangesSince,
  readHorizon,
} from './live-changes.ts';
import { readMerchantsOf } from './merchants-of-actors.ts';

export interface LiveFeedDeps {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly pollEveryMs?: number;
}

export interface LiveListener {
  /** Told of actors of this merchant alone; left out: of all actors. */
  readonly merchantId?: string;
  /** Changes in the order they are told. With `position` as `since`, a later listener goes on behind them. */
  onChanges(changes: readonly LiveChange[], position: LivePosition): void;
  /** Too much has happened to tell it one by one: everything shown must be read anew. */
  onReload(position: LivePosition): void;
  /**
   * Nothing that this listener is told of has happened up to here; a later one may go on from here. Told also at the beginning, to
   * those who came without a position.
   */
  onPassed(position: LivePosition): void;
}

export interface LiveFeed {
  /**
   * Tells the listener of everything that happens from now on, or since a position. Resolves with the way to leave; with null when
   * there are too many listeners, or too many of the same merchant. Rejects with `RetryableError` without database.
   */
  join(listener: LiveListener, since: LivePosition | null): Promise<(() => void) | null>;
  /** Nobody is told any more. Resolves when the look under way is over. */
  stop(): Promise<void>;
}

/** Operators have a few pages open, not thousands; those of merchants neither keep them out nor each other. */
const MAX_OPERATOR_LISTENERS = 500;
const MAX_MERCHANT_LISTENERS = 5_000;
export const MAX_LISTENERS_OF_MERCHANT = 50;
const POLL_EVERY_MS = 250;

/**
 * One look at the journal, at most four times a second and only while somebody listens, for all listeners of this process together. The
 * journal is the truth of every process, so it does not matter which one took the steps.
 */
export function createLiveFeed({ db, log, pollEveryMs = POLL_EVERY_MS }: LiveFeedDeps): LiveFeed {
  /** Each with the position it has been told up to when it joined, which may lie ahead of where the looks are. */
  const listeners = new Map<LiveListener, number>();
  let horizon: TransactionHorizon | null = null;
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> = Promise.resolve();
  let indexedAt = Number.NEGATIVE_INFINITY;
  const joining = new Set<LiveListener>();
  let isStopped = false;
  let isFailing = false;

  function schedule(): void {
    if (timer !== null || isStopped || listeners.size === 0) return;
    // For all who listen, and not for whoever happened to come first.
    timer = inWork(null, () => setTimeout(lookAndGoOn, pollEveryMs));
  }

  function lookAndGoOn(): void {
    looking = look().then(() => {
      timer = null;
      // Nobody looks from now on, and a place far behind would only be a reason to read everything anew.
      if (listeners.size + joining.size === 0) horizon = null;
      schedule();
    });
  }

  async function look(): Promise<void> {
    try {
      if (performance.now() - indexedAt > MINUTE_MS) {
        await indexNewestPages(db);
        indexedAt = performance.now();
      }
      horizon ??= await readHorizon(db);
      const news = await readChangesSince(db, horizon);
      // Without a listener for a merchant nothing is awaited from here on, so none can join before these are told.
      const merchants = areForMerchants(listeners.keys()) ? await readMerchantsOf(db, news.changes) : NOBODY;
      horizon = news.horizon;
      const sorted = sortOut(news, merchants);
      for (const [listener, since] of listeners) tell(listener, since, sorted);
      // What they had received so far has no place in the order of this history.
      if (news.isAnotherHistory) for (const listener of listeners.keys()) listeners.set(listener, horizon.position);
      if (isFailing) log.info('changes of actors are followed again');
      isFailing = false;
    } catch (error) {
      // The position stands still: what is missed now is told by the next look.
      if (!isFailing) log.warn({ reason: messageOf(error) }, 'changes of actors cannot be followed at the moment');
      isFailing = true;
    }
  }

  /** A position of another database or of another history, or from before this one was restored. */
  async function isForeign(since: TransactionHorizon, feedAt: TransactionHorizon): Promise<boolean> {
    return !isContinued(since, feedAt) && !isContinued(since, await readHorizon(db));
  }

  /** What a listener has missed is read for it alone, up to where the others are; from there one look serves all. */
  async function catchUp(listener: LiveListener, since: TransactionHorizon | null): Promise<void> {
    horizon ??= await readHorizon(db);
    const isLost = since !== null && (await isForeign(since, horizon));
    if (isLost) listener.onReload(formatPosition(horizon));
    let own = isLost ? horizon.position : (since?.position ?? horizon.position);
    while (own < horizon.position) {
      const news = await readChangesSince(db, { position: own, history: horizon.history });
      const merchants = areForMerchants([listener]) ? await readMerchantsOf(db, news.changes) : NOBODY;
      // The next look finds the other history as well, and has everyone reload.
      if (news.isAnotherHistory) own = horizon.position;
      else {
        tell(listener, own, sortOut(news, merchants));
        own = news.horizon.position;
      }
    }
    // In the same turn as the last comparison, so that no look can come between.
    listeners.set(listener, own);
    // Who is cut off before anything happens must know where to go on as well.
    if (since === null) listener.onPassed(formatPosition({ position: own, history: horizon.history }));
  }

  return {
    async join(listener, since) {
      const from = since === null ? null : parsePosition(since);
      if (isStopped || isFull([...listeners.keys(), ...joining], listener)) return null;
      joining.add(listener);
      try {
        await catchUp(listener, from);
      } finally {
        joining.delete(listener);
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

/** When nobody listens for a merchant, nobody asks whose the actors are. */
const NOBODY: ReadonlyMap<string, string> = new Map();

function areForMerchants(listeners: Iterable<LiveListener>): boolean {
  return [...listeners].some(({ merchantId }) => merchantId !== undefined);
}

function isFull(present: readonly LiveListener[], { merchantId }: LiveListener): boolean {
  const ofMerchants = present.filter((each) => each.merchantId !== undefined);
  if (merchantId === undefined) return present.length - ofMerchants.length >= MAX_OPERATOR_LISTENERS;
  const ofSame = ofMerchants.filter((each) => each.merchantId === merchantId);
  return ofMerchants.length >= MAX_MERCHANT_LISTENERS || ofSame.length >= MAX_LISTENERS_OF_MERCHANT;
}

interface PlacedChange {
  readonly change: LiveChange;
  readonly place: number;
}

interface News extends Pick<ChangesSince, 'horizon' | 'isTooMuch' | 'isAnotherHistory'> {
  readonly all: readonly PlacedChange[];
  /** Empty when nobody listens for a merchant. */
  readonly byMerchant: ReadonlyMap<string, readonly PlacedChange[]>;
}

/** Done once for all listeners, of whom there may be thousands. */
function sortOut(news: ChangesSince, merchants: ReadonlyMap<string, string>): News {
  const { changes, places, horizon, isTooMuch, isAnotherHistory } = news;
  const all = changes.map((change, index) => ({ change, place: places[index] ?? 0 }));
  const byMerchant = new Map<string, PlacedChange[]>();
  for (const placed of all) {
    const merchantId = merchants.get(placed.change.actorId);
    if (merchantId === undefined) continue;
    const own = byMerchant.get(merchantId);
    if (own === undefined) byMerchant.set(merchantId, [placed]);
    else own.push(placed);
  }
  return { all, byMerchant, horizon, isTooMuch, isAnotherHistory };
}

/** Sends what is new since a position, and of it what the listener asks for. */
function tell(listener: LiveListener, since: number, news: News): void {
  const { all, byMerchant, horizon, isTooMuch, isAnotherHistory } = news;
  if (horizon.position <= since && !isAnotherHistory) return;
  const position = formatPosition(horizon);
  const { merchantId } = listener;
  const asked = merchantId === undefined ? all : (byMerchant.get(merchantId) ?? []);
  const own = asked.filter(({ place }) => place >= since).map(({ change }) => change);
  if (isTooMuch) listener.onReload(position);
  else if (own.length > 0) listener.onChanges(own, position);
  else if (all.length > 0) listener.onPassed(position);
}
