import type { Kysely } from 'kysely';
import { createBitcoindRpc, createUtxoWatcher, createWatchLoop, utxoChain } from '../../chains/index.ts';
import type { Clock } from '../../clock.ts';
import type { NodeConfig } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import type { Log } from '../../log.ts';
import {
  createObservationSink,
  createVerifyHandler,
  createWatcherStore,
  createWatchSet,
  verifyQueue,
} from '../../payments/index.ts';
import { networkName } from '../../wallets/index.ts';
import type { Runtime } from './runtime.ts';

export interface WatcherDeps {
  readonly nodes: readonly NodeConfig[];
  readonly runtime: Runtime;
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Verifications of one network that wait at its watcher at once. */
const VERIFICATIONS_IN_FLIGHT = 4;

/** Follows every connected network and answers verifications about it. */
export async function startWatchers(deps: WatcherDeps): Promise<{ stop(): Promise<void> }> {
  const running = await Promise.all(deps.nodes.map((node) => startWatcher(deps, node)));
  return {
    async stop() {
      await Promise.all(running.map((watcher) => watcher.stop()));
    },
  };
}

// Helpers

async function startWatcher(
  { runtime, db, clock, log }: WatcherDeps,
  node: NodeConfig,
): Promise<{ stop(): Promise<void> }> {
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
  const queue = verifyQueue(network);
  const verifications = await bus.subscribe(
    { queue, maxInFlightPerPartition: VERIFICATIONS_IN_FLIGHT },
    createVerifyHandler({ db, watcher }),
  );
  const loop = createWatchLoop({ watcher, log });
  loop.start();
  return {
    async stop() {
      await loop.stop();
      await verifications.stop();
      await rpc.close();
    },
  };
}
