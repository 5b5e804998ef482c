import {
  createBitcoindRpc,
  createUtxoFees,
  createUtxoHistory,
  createUtxoWatcher,
  createZmqHint,
  observedSink,
  SCAN_TIMEOUT_MS,
  UTXO_POLL_MS,
  utxoChain,
} from '../../chains/index.ts';
import { createObservationSink, createWatcherStore, createWatchSet } from '../../payments/index.ts';
import type { UtxoNodeConfig } from '../../platform/config/index.ts';
import { networkName } from '../../wallets/index.ts';
import type { ChainWatcher, ChainWatcherDeps } from './chain-watcher.ts';

/**
 * A watcher of a chain of the Bitcoin family. Address histories use a connection with a longer
 * timeout.
 */
export function createUtxoChainWatcher(
  { runtime, db, clock, log, publicUrl, observers }: ChainWatcherDeps,
  node: UtxoNodeConfig,
): ChainWatcher {
  const network = networkName(node.chain, node.networkKind);
  const params = utxoChain(network);
  const { bus, timers } = runtime;
  const { rpcUrl: url, zmqUrl } = node;
  const rpc = createBitcoindRpc({ url });
  const slowRpc = createBitcoindRpc({ url, timeoutMs: SCAN_TIMEOUT_MS });
  const watcher = createUtxoWatcher({
    params,
    rpc,
    store: createWatcherStore({ db, network, onProgress: timers.wake }),
    watchSet: createWatchSet({ db, network }),
    sink: observedSink(createObservationSink({ db, bus, log, publicUrl }), observers?.watch),
    clock,
    log,
  });
  return {
    network,
    watcher,
    pollMs: UTXO_POLL_MS,
    history: createUtxoHistory({ rpc: slowRpc }),
    fetchFees: createUtxoFees(rpc, params.asset),
    startHints(onHint) {
      const hint = zmqUrl === null ? null : createZmqHint({ url: zmqUrl, onHint, log });
      return { stop: async () => hint?.close() };
    },
    async close() {
      await Promise.all([rpc.close(), slowRpc.close()]);
    },
  };
}
