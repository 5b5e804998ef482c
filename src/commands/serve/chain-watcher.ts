import type { Kysely } from 'kysely';
import { createBitcoindRpc, createUtxoWatcher, utxoChain, type Watcher } from '../../chains/index.ts';
import type { Clock } from '../../clock.ts';
import type { NodeConfig } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import type { Log } from '../../log.ts';
import { createObservationSink, createWatcherStore, createWatchSet } from '../../payments/index.ts';
import { networkName } from '../../wallets/index.ts';
import type { Runtime } from './runtime.ts';

export interface ChainWatcherDeps {
  readonly runtime: Pick<Runtime, 'bus' | 'timers'>;
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A watcher together with its connection to the node. */
export interface ChainWatcher {
  readonly network: string;
  readonly watcher: Watcher;
  close(): Promise<void>;
}

/** Connects the watcher of one network to its node, its memory in the database, and the bus. */
export function createChainWatcher({ runtime, db, clock, log }: ChainWatcherDeps, node: NodeConfig): ChainWatcher {
  const network = networkName(node.chain, node.networkKind);
  const { bus, timers } = runtime;
  const rpc = createBitcoindRpc({ url: node.rpcUrl });
  const watcher = createUtxoWatcher({
    params: utxoChain(network),
    rpc,
    store: createWatcherStore({ db, network, onProgress: timers.wake }),
    watchSet: createWatchSet({ db, network }),
    sink: createObservationSink({ db, bus, log }),
    clock,
    log,
  });
  return { network, watcher, close: () => rpc.close() };
}
