import type { Kysely } from 'kysely';
import type { AddressHistory, FetchFees, Watcher } from '../../chains/index.ts';
import type { Observers } from '../../monitoring/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Runtime } from '../runtime.ts';

export interface ChainWatcherDeps {
  readonly runtime: Pick<Runtime, 'bus' | 'timers'>;
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
  /** Base URL of links in emails, without a trailing slash. */
  readonly publicUrl: string;
  readonly observers?: Pick<Observers, 'watch'> | undefined;
}

/** The watcher of one network, with its node connections and its address history. */
export interface ChainWatcher {
  readonly network: string;
  readonly watcher: Watcher;
  /** Interval between polls when no hint arrives. */
  readonly pollMs: number;
  /** Finds addresses that were used before they were issued. */
  readonly history: AddressHistory;
  readonly fetchFees: FetchFees;
  /**
   * Calls `onHint` when the node announces new data; does nothing for nodes without such
   * notifications.
   */
  startHints(onHint: () => void): { stop(): Promise<void> };
  /** Closes the connections. The watcher and its queries must have stopped before. */
  close(): Promise<void>;
}
