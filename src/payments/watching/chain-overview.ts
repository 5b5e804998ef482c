import { createStore } from '@xstate/store';
import type { Kysely } from 'kysely';
import { type CryptoSymbol, SECOND_MS } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import { type Database, whileDatabaseAnswers } from '../../db/index.ts';
import { type ChainStatus, readChainStatus } from '../chain-status.ts';
import { countStrayPayments } from '../stray-payments.ts';

/** How all networks are being watched, from a copy that is a moment old. */
export interface ChainOverview {
  /** Reads the database when the copy is too old. Rejects with `RetryableError` without database. */
  read(): Promise<Overview>;
  /** Whether a network is being looked at now; false for one that is catching up. */
  isWatched(network: string): Promise<boolean>;
  /** False for a token whose contract was found not to be what the settings say: nobody would see a payment in it. */
  isPayable(network: string, crypto: CryptoSymbol): Promise<boolean>;
}

export interface Overview {
  readonly chains: readonly ChainStatus[];
  /** Coins that belong to no running payment. */
  readonly strayPayments: number;
}

/** However often it is asked, the database is asked once in this time. */
const OVERVIEW_MAX_AGE_MS = 2 * SECOND_MS;

export interface ChainOverviewDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  /** Networks this deployment is meant to watch, whether somebody has begun to or not. */
  readonly networks: readonly string[];
  /** Milliseconds on a clock that never jumps. */
  readonly monotonicMs?: () => number;
}

/** The copy is for answering quickly and never the truth: whatever must be right asks the database in its own transaction. */
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
    const overview = { chains, strayPayments: await whileDatabaseAnswers(() => countStrayPayments(db)) };
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
