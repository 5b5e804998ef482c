import { createStore } from '@xstate/store';
import type { Kysely } from 'kysely';
import { type CryptoSymbol, SECOND_MS } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, whileDatabaseAnswers } from '../../platform/db/index.ts';
import { countUnassignedPayments } from '../unassigned/unassigned-payments.ts';
import { type ChainStatus, readChainStatus } from './chain-status.ts';

/** The watching status of all networks, briefly cached. */
export interface ChainOverview {
  /** Reads the database if the cache is stale. Rejects with `RetryableError` without a database. */
  read(): Promise<Overview>;
  /** Whether a network is being watched now; false while it is catching up. */
  isWatched(network: string): Promise<boolean>;
  /** False for a token whose contract does not match the configuration: it would not be seen. */
  isPayable(network: string, crypto: CryptoSymbol): Promise<boolean>;
}

export interface Overview {
  readonly chains: readonly ChainStatus[];
  /** Number of unassigned deposits. */
  readonly unassignedPayments: number;
}

/** The database is queried at most once in this time. */
const OVERVIEW_MAX_AGE_MS = 2 * SECOND_MS;

export interface ChainOverviewDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  /** Networks that this deployment should watch, whether or not it has started to. */
  readonly networks: readonly string[];
  /** Milliseconds on a monotonic clock. */
  readonly monotonicMs?: () => number;
}

/** The cache may be stale: what must be correct reads the database in its own transaction. */
export function createChainOverview(deps: ChainOverviewDeps): ChainOverview {
  const { db, clock, networks, monotonicMs = () => performance.now() } = deps;
  const copy = createStore({
    context: { overview: null as Overview | null, readAt: Number.NEGATIVE_INFINITY },
    on: {
      read: (_context, event: { overview: Overview; at: number }) => ({ overview: event.overview, readAt: event.at }),
    },
  });
  let reading: Promise<Overview> | null = null;

  async function refresh(): Promise<Overview> {
    const at = monotonicMs();
    const chains = await readChainStatus(db, clock, networks);
    const overview = { chains, unassignedPayments: await whileDatabaseAnswers(() => countUnassignedPayments(db)) };
    copy.trigger.read({ overview, at });
    return overview;
  }

  async function read(): Promise<Overview> {
    const { overview, readAt } = copy.getSnapshot().context;
    if (overview !== null && monotonicMs() - readAt < OVERVIEW_MAX_AGE_MS) return overview;
    reading ??= refresh().finally(() => {
      reading = null;
    });
    return reading;
  }

  return {
    read,
    async isWatched(network) {
      const { chains } = await read();
      return chains.some((chain) => chain.network === network && chain.state === 'watching');
    },
    async isPayable(network, crypto) {
      const { chains } = await read();
      return !chains.some((chain) => chain.network === network && chain.unwatchedAssets.includes(crypto));
    },
  };
}
