import { createWatchLoop } from '../../chains/index.ts';
import type { NodeConfig } from '../../config/index.ts';
import {
  createChainLease,
  createVerifyHandler,
  type Duty,
  keepLease,
  keepStatus,
  verifyQueue,
} from '../../payments/index.ts';
import { createAddressVetter, networkName } from '../../wallets/index.ts';
import type { ChainWatcherDeps } from './chain-watcher.ts';
import { createChainWatcher } from './create-chain-watcher.ts';
import type { Runtime } from './runtime.ts';

export interface WatcherDeps extends ChainWatcherDeps {
  readonly nodes: readonly NodeConfig[];
  readonly runtime: Runtime;
  /** Names this process among those that could watch the same networks. */
  readonly holder: string;
}

/** Verifications of one network and partition that wait at its watcher at once; those of all partitions share its looks. */
const VERIFICATIONS_IN_FLIGHT = 4;
/** A holder that was killed is replaced after this long, and at most one renewal more. */
const LEASE_MS = 10_000;
/** A lease that was given back is taken within this time. */
const RENEW_EVERY_MS = 2_000;

/**
 * Follows every connected network and answers verifications about it, as long as this process holds the network's lease.
 * Until then, and after it was lost, it stands by.
 */
export async function startWatchers(deps: WatcherDeps): Promise<{ stop(): Promise<void> }> {
  const { db, log, holder } = deps;
  const keepers = deps.nodes.map((node) => {
    const network = networkName(node.chain, node.networkKind);
    const lease = createChainLease({ db, network, holder, leaseMs: LEASE_MS });
    return keepLease({
      lease,
      network,
      renewEveryMs: RENEW_EVERY_MS,
      createDuty: () => createWatchDuty(deps, node),
      log,
    });
  });
  return {
    async stop() {
      await Promise.all(keepers.map((keeper) => keeper.stop()));
    },
  };
}

// Helpers

/**
 * A watcher of its own for every turn, so that it begins with what the one before it has saved. Beside it run whatever tells
 * it to look sooner, the answers about depth, and the questions about free addresses.
 */
function createWatchDuty(deps: WatcherDeps, node: NodeConfig): Duty {
  const { runtime, db, clock, log } = deps;
  const { network, watcher, pollMs, history, startHints, close } = createChainWatcher(deps, node);
  const observer = deps.observers?.watch;
  const loop = createWatchLoop({ watcher: keepStatus({ db, watcher, log }), log, pollMs, observer });
  const vetter = createAddressVetter({ db, network, history, log, clock });
  const stops: (() => Promise<void>)[] = [];
  let isOver = false;

  return {
    async start() {
      loop.start();
      stops.push(loop.stop, startHints(loop.wake).stop);
      vetter.start();
      stops.push(vetter.stop);
      const verifications = await runtime.bus.subscribe(
        { queue: verifyQueue(network), maxInFlightPerPartition: VERIFICATIONS_IN_FLIGHT },
        createVerifyHandler({ db, watcher }),
      );
      stops.push(verifications.stop);
      // It was stopped while the bus was slow.
      if (isOver) await verifications.stop();
    },
    async stop() {
      isOver = true;
      await Promise.all(stops.map((stop) => stop()));
      await close();
    },
  };
}
