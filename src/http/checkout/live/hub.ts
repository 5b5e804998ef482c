import { SECOND_MS } from '../../../../machines/index.ts';
import type { CustomerView, CustomerViews } from '../../../payments/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { messageOf } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { runInContext } from '../../../platform/request-context.ts';
import type { Language } from '../languages/choose-language.ts';
import type { Locale } from '../languages/locales.ts';
import { type Update, updateOf } from '../pages/payment.ts';
import { etagOf } from '../screen.ts';

/** Maximum number of open pages served by one process; others poll instead. */
export const MAX_LISTENERS = 5_000;
/** Maximum number of open pages of one transaction: a customer has a few tabs, not hundreds. */
export const MAX_LISTENERS_PER_TRANSACTION = 20;
/** How often the database is polled, once for all open pages. */
const POLL_EVERY_MS = SECOND_MS;
/** Transactions loaded per round of queries, when a block changes many simultaneously. */
const LOAD_BATCH = 200;

export interface HubDeps {
  readonly transactions: Pick<CustomerViews, 'list' | 'listVersions'>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Listener {
  readonly transactionId: string;
  /** The version its page shows. */
  readonly version: string;
  readonly locale: Locale;
  readonly onUpdate: (update: Update) => void;
}

export interface Hub {
  /**
   * Calls `onUpdate` on every change from now on. Returns a function that removes the listener;
   * null when there are too many.
   */
  join(listener: Listener): (() => void) | null;
  /** Stops polling; `onUpdate` is no longer called. */
  stop(): Promise<void>;
}

interface Seat {
  version: string;
  readonly locale: Locale;
  readonly onUpdate: (update: Update) => void;
}

/**
 * Notifies open pages of changes. It compares the version of each page with that in the database,
 * so a change between rendering and joining is noticed too. A change caused only by time, such as
 * the end of the payment window, is a new version as well.
 */
export function createHub({ transactions, clock, log }: HubDeps): Hub {
  const rooms = new Map<string, Set<Seat>>();
  let seats = 0;
  let timer: NodeJS.Timeout | null = null;
  let polling: Promise<void> = Promise.resolve();
  let isStopped = false;
  let isFailing = false;

  function schedule(): void {
    if (timer !== null || isStopped || rooms.size === 0) return;
    // Outside the caller's request context, because the poll serves all listeners.
    timer = runInContext(null, () => setTimeout(pollAndGoOn, POLL_EVERY_MS));
  }

  function pollAndGoOn(): void {
    polling = poll().then(() => {
      timer = null;
      schedule();
    });
  }

  async function poll(): Promise<void> {
    try {
      const versions = await transactions.listVersions([...rooms.keys()]);
      const now = clock.now();
      const stale = versions.filter((version) => hasStaleSeat(rooms.get(version.id), etagOf(version, now)));
      for (let first = 0; first < stale.length; first += LOAD_BATCH) {
        const ids = stale.slice(first, first + LOAD_BATCH).map(({ id }) => id);
        for (const transaction of await transactions.list(ids)) notify(transaction);
      }
      if (isFailing) log.info('open payment pages receive updates again');
      isFailing = false;
    } catch (error) {
      // Pages stay open; their versions are compared again in the next poll.
      if (!isFailing) log.warn({ reason: messageOf(error) }, 'open payment pages receive no updates at the moment');
      isFailing = true;
    }
  }

  function notify(transaction: CustomerView): void {
    const now = clock.now();
    const updates = new Map<Language, Update>();
    for (const seat of rooms.get(transaction.id) ?? []) {
      const { language } = seat.locale;
      const update = updates.get(language) ?? updateOf(transaction, now, seat.locale);
      updates.set(language, update);
      if (seat.version === update.version) continue;
      seat.version = update.version;
      seat.onUpdate(update);
    }
  }

  return {
    join({ transactionId, version, locale, onUpdate }) {
      const room = rooms.get(transactionId) ?? new Set<Seat>();
      if (isStopped || seats >= MAX_LISTENERS || room.size >= MAX_LISTENERS_PER_TRANSACTION) return null;
      const seat: Seat = { version, locale, onUpdate };
      room.add(seat);
      rooms.set(transactionId, room);
      seats += 1;
      schedule();
      return () => {
        if (!room.delete(seat)) return;
        seats -= 1;
        if (room.size === 0 && rooms.get(transactionId) === room) rooms.delete(transactionId);
      };
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      rooms.clear();
      await polling;
    },
  };
}

// Helpers

function hasStaleSeat(room: ReadonlySet<Seat> | undefined, version: string): boolean {
  return room !== undefined && [...room].some((seat) => seat.version !== version);
}
