import { createWatchLoop } from '../../chains/index.ts';
import type { NodeConfig } from '../../config/index.ts';
import { createVerifyHandler, verifyQueue } from '../../payments/index.ts';
import { type ChainWatcherDeps, createChainWatcher } from './chain-watcher.ts';
import type { Runtime } from './runtime.ts';

export interface WatcherDeps extends ChainWatcherDeps {
  readonly nodes: readonly NodeConfig[];
  readonly runtime: Runtime;
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

async function startWatcher(deps: WatcherDeps, node: NodeConfig): Promise<{ stop(): Promise<void> }> {
  const { runtime, db, log } = deps;
  const { network, watcher, close } = createChainWatcher(deps, node);
  const verifications = await runtime.bus.subscribe(
    { queue: verifyQueue(network), maxInFlightPerPartition: VERIFICATIONS_IN_FLIGHT },
    createVerifyHandler({ db, watcher }),
  );
  const loop = createWatchLoop({ watcher, log });
  loop.start();
  return {
    async stop() {
      await loop.stop();
      await verifications.stop();
      await close();
    },
  };
}
