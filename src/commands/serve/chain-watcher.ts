import type { Kysely } from 'kysely';
import type { AddressHistory, Watcher } from '../../chains/index.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/index.ts';
import type { Log } from '../../log.ts';
import type { Observers } from '../../monitoring/index.ts';
import type { Runtime } from './runtime.ts';

export interface ChainWatcherDeps {
  readonly runtime: Pick<Runtime, 'bus' | 'timers'>;
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
  readonly observers?: Pick<Observers, 'watch'> | undefined;
}

/** A watcher together with its connections to the node, and what else can be asked there. */
export interface ChainWatcher {
  readonly network: string;
  readonly watcher: Watcher;
  /** Pause between two looks of which nobody gave a hint. */
  readonly pollMs: number;
  /** Tells which addresses were used before anybody was given them. */
  readonly history: AddressHistory;
  /** Calls `onHint` whenever the node says that something may be new; does nothing where nodes do not say so. */
  startHints(onHint: () => void): { stop(): Promise<void> };
  /** Closes the connections. Whoever looks or asks must have stopped. */
  close(): Promise<void>;
}
