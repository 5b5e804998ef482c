import { createUtxoWatcher, type Watcher } from '../../../src/chains/index.ts';
import type { UtxoChainParams } from '../../../src/chains/utxo/chain-params.ts';
import { BITCOIN_FORMAT } from '../../../src/chains/utxo/raw-reader.ts';
import { createFakeUtxoNode, script } from '../../support/nodes/fake-utxo-node.ts';
import { createMemorySink, createMemoryStore, createMemoryWatchSet, silentLog } from './watcher-store.ts';

export const WATCHED_KEYS = 6;

/** A watcher over in-memory node, store and sink; `restart` discards only the watcher. */
export function createWatcherHarness(options: { readonly historyBlocks?: number } = {}) {
  const node = createFakeUtxoNode();
  const store = createMemoryStore();
  const sink = createMemorySink();
  const watchSet = createMemoryWatchSet(Array.from({ length: WATCHED_KEYS }, (_, index) => script(index)));
  const clock = { now: () => node.timeSeconds * 1000 };
  const params: UtxoChainParams = {
    network: 'fake-regtest',
    asset: 'BTC',
    genesisHash: node.genesisHash,
    format: BITCOIN_FORMAT,
    staleAfterMs: null,
  };
  const build = (): Watcher =>
    createUtxoWatcher({ params, rpc: node.rpc, store, watchSet, sink: sink.sink, clock, log: silentLog, ...options });
  let watcher = build();
  return {
    node,
    store,
    sink,
    watchSet,
    params,
    clock,
    step: () => watcher.step(),
    watcher: () => watcher,
    restart: () => {
      watcher = build();
    },
  };
}

export type WatcherHarness = ReturnType<typeof createWatcherHarness>;
