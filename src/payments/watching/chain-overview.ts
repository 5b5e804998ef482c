import { createStore } from '@xstate/store';
import type { Kysely } from 'kysely';
import { ASSETS, type CryptoSymbol, SECOND_MS } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { type ChainStatus, readChainStatus } from './chain-status.ts';

/** The watching status of all networks, briefly cached. */
export interface ChainOverview {
  /** Reads the database if the cache is stale. Rejects with `RetryableError` without a database. */
  read(): Promise<readonly ChainStatus[]>;
  /** Whether a network is being watched now; false while it is catching up. */
  isWatched(network: string): Promise<boolean>;
  /** False for a token whose contract does not match the configuration: it would not be seen. */
  isPayable(network: string, crypto: CryptoSymbol): Promise<boolean>;
  /**
   * What a usual transfer of this asset costs its sender, in base units of the chain's own coin;
   * null when unknown or out of date.
   */
  transferFee(network: string, crypto: CryptoSymbol): Promise<bigint | null>;
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
    context: { chains: null as readonly ChainStatus[] | null, readAt: Number.NEGATIVE_INFINITY },
    on: {
      read: (_context, event: { chains: readonly ChainStatus[]; at: number }) => ({
        chains: event.chains,
        readAt: event.at,
      }),
    },
  });
  let reading: Promise<readonly ChainStatus[]> | null = null;

  async function refresh(): Promise<readonly ChainStatus[]> {
    const at = monotonicMs();
    const chains = await readChainStatus(db, clock, networks);
    copy.trigger.read({ chains, at });
    return chains;
  }

  async function read(): Promise<readonly ChainStatus[]> {
    const { chains, readAt } = copy.getSnapshot().context;
    if (chains !== null && monotonicMs() - readAt < OVERVIEW_MAX_AGE_MS) return chains;
    reading ??= refresh().finally(() => {
      reading = null;
    });
    return reading;
  }

  return {
    read,
    async isWatched(network) {
      const chains = await read();
      return chains.some((chain) => chain.network === network && chain.state === 'watching');
    },
    async isPayable(network, crypto) {
      const chains = await read();
      return !chains.some((chain) => chain.network === network && chain.unwatchedAssets.includes(crypto));
    },
    async transferFee(network, crypto) {
      const chains = await read();
      const chain = chains.find((each) => each.network === network && each.state === 'watching');
      return chain?.fees?.[ASSETS[crypto].type] ?? null;
    },
  };
}
