import { createWatchLoop } from '../../chains/index.ts';
import {
  createChainLease,
  createFeeRecorder,
  createSearchHandler,
  createVerifyHandler,
  type LeaderTask,
  recordWatcherStatus,
  runWhileLeader,
  searchQueue,
  verifyQueue,
} from '../../payments/index.ts';
import type { NodeConfig } from '../../platform/config/index.ts';
import { createAddressVetter, networkName } from '../../wallets/index.ts';
import type { Runtime } from '../runtime.ts';
import type { ChainWatcherDeps } from './chain-watcher.ts';
import { createChainWatcher } from './create-chain-watcher.ts';

export interface WatcherDeps extends ChainWatcherDeps {
  readonly nodes: readonly NodeConfig[];
  readonly runtime: Runtime;
  /** Identifies this process as a lease holder. */
  readonly holder: string;
}

/**
 * Maximum concurrent verifications of one network and partition; those of all partitions share the
 * watcher's polls.
 */
const VERIFICATIONS_IN_FLIGHT = 4;
/** The lease of a killed holder is taken over after this time plus at most one renewal interval. */
const LEASE_MS = 10_000;
/** A released lease is taken within this time. */
const RENEW_EVERY_MS = 2_000;

/**
 * Watches every connected network and responds to verification requests about it while this process
 * holds the network's lease. Without the lease, this process stands by.
 */
export async function startWatchers(deps: WatcherDeps): Promise<{ stop(): Promise<void> }> {
  const { db, log, holder } = deps;
  const leaders = deps.nodes.map((node) => {
    const network = networkName(node.chain, node.networkKind);
    const lease = createChainLease({ db, network, holder, leaseMs: LEASE_MS });
    return runWhileLeader({
      lease,
      network,
      renewEveryMs: RENEW_EVERY_MS,
      createTask: () => createWatchTask(deps, node),
      log,
    });
  });
  return {
    async stop() {
      await Promise.all(leaders.map((leader) => leader.stop()));
    },
  };
}

// Helpers

/**
 * Creates a new watcher each time the lease is acquired, so that it starts from the state its
 * predecessor saved. Also runs the node's hints, the verifications, and the checks of free
 * addresses.
 */
function createWatchTask(deps: WatcherDeps, node: NodeConfig): LeaderTask {
  const { runtime, db, clock, log } = deps;
  const { network, watcher, pollMs, history, fetchFees, startHints, close } = createChainWatcher(deps, node);
  const observer = deps.observers?.watch;
  const loop = createWatchLoop({ watcher: recordWatcherStatus({ db, watcher, log }), log, pollMs, observer });
  const vetter = createAddressVetter({ db, network, history, log, clock });
  const fees = createFeeRecorder({ db, network, fetchFees, log });
  const stops: (() => Promise<void>)[] = [];
  let isOver = false;

  return {
    async start() {
      loop.start();
      stops.push(loop.stop, startHints(loop.wake).stop);
      vetter.start();
      fees.start();
      stops.push(vetter.stop, fees.stop);
      const verifications = await runtime.bus.subscribe(
        { queue: verifyQueue(network), maxInFlightPerPartition: VERIFICATIONS_IN_FLIGHT },
        createVerifyHandler({ db, watcher }),
      );
      stops.push(verifications.stop);
      const searches = await runtime.bus.subscribe(
        { queue: searchQueue(network), maxInFlightPerPartition: 1 },
        createSearchHandler({ watcher, log }),
      );
      stops.push(searches.stop);
      // It was stopped while the subscriptions were pending.
      if (isOver) await Promise.all([verifications.stop(), searches.stop()]);
    },
    async stop() {
      isOver = true;
      await Promise.all(stops.map((stop) => stop()));
      await close();
    },
  };
}
