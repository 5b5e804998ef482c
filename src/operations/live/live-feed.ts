import type { Kysely } from 'kysely';
import { MINUTE_MS } from '../../../machines/index.ts';
import {
  type Database,
  isContinued,
  readTransactionHorizon,
  type TransactionHorizon,
} from '../../platform/db/index.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { runInContext } from '../../platform/request-context.ts';
import { readMerchantsOf } from '../actors/actor-rows.ts';
import {
  type ChangesSince,
  formatPosition,
  indexNewestPages,
  type LiveChange,
  type LivePosition,
  parsePosition,
  readChangesSince,
} from './live-changes.ts';

export interface LiveFeedDeps {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly pollEveryMs?: number;
}

export interface LiveListener {
  /** Only changes of this merchant's actors; left out: of all actors. */
  readonly merchantId?: string;
  /** Changes in order. Pass `position` as `since` to resume after them. */
  onChanges(changes: readonly LiveChange[], position: LivePosition): void;
  /** Too many changes to send one by one: the listener must reload everything. */
  onReload(position: LivePosition): void;
  /**
   * No change for this listener up to this position; a later listener may resume from it. Also
   * called at the start for listeners that joined without a position.
   */
  onPosition(position: LivePosition): void;
}

export interface LiveFeed {
  /**
   * Sends the listener every change from now on, or since a position. Resolves with a function that
   * removes the listener; with null when there are too many listeners, in all or for the same
   * merchant. Rejects with `RetryableError` when the database is unavailable.
   */
  join(listener: LiveListener, since: LivePosition | null): Promise<(() => void) | null>;
  /** Removes all listeners. Resolves when the current poll has finished. */
  stop(): Promise<void>;
}

/**
 * Operators have a few pages open, not thousands. Listeners of merchants have their own limits, so
 * that they do not block operators or other merchants.
 */
const MAX_OPERATOR_LISTENERS = 500;
const MAX_MERCHANT_LISTENERS = 5_000;
export const MAX_LISTENERS_OF_MERCHANT = 50;
const POLL_EVERY_MS = 250;

/**
 * Polls the journal for all listeners of this process, at most four times a second and only while
 * there are any. The journal covers all processes, so it does not matter which one made the steps.
 */
export function createLiveFeed({ db, log, pollEveryMs = POLL_EVERY_MS }: LiveFeedDeps): LiveFeed {
  /** Each with the position it had when it joined, which may be ahead of the feed's. */
  const listeners = new Map<LiveListener, number>();
  let horizon: TransactionHorizon | null = null;
  let timer: NodeJS.Timeout | null = null;
  let polling: Promise<void> = Promise.resolve();
  let indexedAt = Number.NEGATIVE_INFINITY;
  const joining = new Set<LiveListener>();
  let isStopped = false;
  let isFailing = false;

  function schedule(): void {
    if (timer !== null || isStopped || listeners.size === 0) return;
    // Outside the caller's request context, because the poll serves all listeners.
    timer = runInContext(null, () => setTimeout(pollAndSchedule, pollEveryMs));
  }

  function pollAndSchedule(): void {
    polling = poll().then(() => {
      timer = null;
      // Without listeners, drop the position: resuming from an old one would only force a reload.
      if (listeners.size + joining.size === 0) horizon = null;
      schedule();
    });
  }

  async function poll(): Promise<void> {
    try {
      if (performance.now() - indexedAt > MINUTE_MS) {
        await indexNewestPages(db);
        indexedAt = performance.now();
      }
      horizon ??= await readTransactionHorizon(db);
      const batch = await readChangesSince(db, horizon);
      // Without merchant listeners there is no await from here on, so none can
      // join before these are sent.
      const merchants = areForMerchants(listeners.keys()) ? await readMerchantsOf(db, batch.changes) : NO_MERCHANTS;
      horizon = batch.horizon;
      const grouped = groupByMerchant(batch, merchants);
      for (const [listener, since] of listeners) notify(listener, since, grouped);
      // Their positions are not comparable with this history.
      if (batch.isAnotherHistory) for (const listener of listeners.keys()) listeners.set(listener, horizon.position);
      if (isFailing) log.info('the live feed reads changes again');
      isFailing = false;
    } catch (error) {
      // The position is unchanged, so the next poll reads what this one missed.
      if (!isFailing) log.warn({ reason: messageOf(error) }, 'the live feed could not read changes');
      isFailing = true;
    }
  }

  /** A position of another database or history, or from before this database was restored. */
  async function isFromOtherHistory(since: TransactionHorizon, feedAt: TransactionHorizon): Promise<boolean> {
    return !isContinued(since, feedAt) && !isContinued(since, await readTransactionHorizon(db));
  }

  /**
   * Reads what one listener missed, up to the feed's position; from there
   * the shared poll serves it.
   */
  async function catchUp(listener: LiveListener, since: TransactionHorizon | null): Promise<void> {
    horizon ??= await readTransactionHorizon(db);
    const isLost = since !== null && (await isFromOtherHistory(since, horizon));
    if (isLost) listener.onReload(formatPosition(horizon));
    let own = isLost ? horizon.position : (since?.position ?? horizon.position);
    while (own < horizon.position) {
      const batch = await readChangesSince(db, { position: own, history: horizon.history });
      const merchants = areForMerchants([listener]) ? await readMerchantsOf(db, batch.changes) : NO_MERCHANTS;
      // The next poll detects the other history as well and makes every listener reload.
      if (batch.isAnotherHistory) own = horizon.position;
      else {
        notify(listener, own, groupByMerchant(batch, merchants));
        own = batch.horizon.position;
      }
    }
    // In the same tick as the last comparison, so that no poll can run in between.
    listeners.set(listener, own);
    // A listener that disconnects before the first change must also know where to resume.
    if (since === null) listener.onPosition(formatPosition({ position: own, history: horizon.history }));
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
      await polling;
    },
  };
}

// Helpers

/** Without merchant listeners, the merchants of actors are not looked up. */
const NO_MERCHANTS: ReadonlyMap<string, string> = new Map();

function areForMerchants(listeners: Iterable<LiveListener>): boolean {
  return [...listeners].some(({ merchantId }) => merchantId !== undefined);
}

function isFull(present: readonly LiveListener[], { merchantId }: LiveListener): boolean {
  const ofMerchants = present.filter((each) => each.merchantId !== undefined);
  if (merchantId === undefined) return present.length - ofMerchants.length >= MAX_OPERATOR_LISTENERS;
  const ofSame = ofMerchants.filter((each) => each.merchantId === merchantId);
  return ofMerchants.length >= MAX_MERCHANT_LISTENERS || ofSame.length >= MAX_LISTENERS_OF_MERCHANT;
}

interface ChangeWithXid {
  readonly change: LiveChange;
  readonly xid: number;
}

interface ChangeBatch extends Pick<ChangesSince, 'horizon' | 'isTooMuch' | 'isAnotherHistory'> {
  readonly all: readonly ChangeWithXid[];
  /** Empty without merchant listeners. */
  readonly byMerchant: ReadonlyMap<string, readonly ChangeWithXid[]>;
}

/** Grouped once for all listeners, of which there may be thousands. */
function groupByMerchant(batch: ChangesSince, merchants: ReadonlyMap<string, string>): ChangeBatch {
  const { changes, xids, horizon, isTooMuch, isAnotherHistory } = batch;
  const all = changes.map((change, index) => ({ change, xid: xids[index] ?? 0 }));
  const byMerchant = new Map<string, ChangeWithXid[]>();
  for (const each of all) {
    const merchantId = merchants.get(each.change.actorId);
    if (merchantId === undefined) continue;
    const own = byMerchant.get(merchantId);
    if (own === undefined) byMerchant.set(merchantId, [each]);
    else own.push(each);
  }
  return { all, byMerchant, horizon, isTooMuch, isAnotherHistory };
}

/** Sends a listener the changes after its position that it subscribed to. */
function notify(listener: LiveListener, since: number, batch: ChangeBatch): void {
  const { all, byMerchant, horizon, isTooMuch, isAnotherHistory } = batch;
  if (horizon.position <= since && !isAnotherHistory) return;
  const position = formatPosition(horizon);
  const { merchantId } = listener;
  const requested = merchantId === undefined ? all : (byMerchant.get(merchantId) ?? []);
  const own = requested.filter(({ xid }) => xid >= since).map(({ change }) => change);
  if (isTooMuch) listener.onReload(position);
  else if (own.length > 0) listener.onChanges(own, position);
  else if (all.length > 0) listener.onPosition(position);
}
