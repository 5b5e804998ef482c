import type { Clock } from '../../platform/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import type { EventLog } from '../../platform/log.ts';
import type { WatchSet } from '../port.ts';
import { findFork } from '../sync/find-fork.ts';
import { disconnectAbove, type WatcherMemory } from '../sync/memory.ts';
import type { UtxoChainParams } from './chain-params.ts';
import { walkStaleBranch } from './deep-fork.ts';
import type { NodeInfo, UtxoNode } from './node.ts';
import { requireNetwork } from './node-health.ts';
import { createScanner } from './scan.ts';

export interface JoinDeps {
  readonly params: UtxoChainParams;
  readonly node: UtxoNode;
  readonly watchSet: WatchSet;
  readonly clock: Clock;
  readonly log: EventLog;
}

/** A new watcher starts this many blocks below the tip, so that it can follow an early reorg. */
export const BEGIN_DEPTH_BLOCKS = 12;

/** Starts a new watcher, or disconnects back to the newest scanned block in the best chain. */
export async function joinBestChain(
  deps: JoinDeps,
  memory: WatcherMemory,
  info: NodeInfo,
  behind: string | null,
): Promise<void> {
  const { node, params, log } = deps;
  const tip = memory.chain.tip();
  const oldest = memory.chain.oldest();
  if (tip === null || oldest === null) {
    if (behind !== null) throw stillBehind(behind);
    const height = Math.max(0, info.tipHeight - BEGIN_DEPTH_BLOCKS);
    const [blockHash] = await node.blockHashes([height]);
    if (!blockHash)
      throw new RetryableError('TIP_MOVED', `block ${height} left the best chain while scanning started there`);
    memory.chain.append({ height, blockHash, outputs: [] });
    memory.savedHeight = height - 1;
    return;
  }
  const fork = await findFork(memory.chain, node, info.tipHeight);
  if (fork === tip.height) return;
  // A node that is still syncing has a shorter chain without any reorg.
  if (behind !== null) throw stillBehind(behind);
  // Work only grows: a shorter chain lost its newest blocks, or is another node's.
  if (fork === info.tipHeight && params.staleAfterMs !== null) throw shorterChain(info);
  if (fork !== null) {
    log.info({ network: params.network, from: tip.height, forkHeight: fork }, 'the chain was reorganised');
    disconnectAbove(memory, fork);
    return;
  }
  // No remembered block is in this chain: the URL may now lead to a node of another network.
  await requireNetwork(node, params);
  await deps.watchSet.refresh();
  const scanner = createScanner(memory, deps.params.asset, deps.watchSet);
  const deep = await walkStaleBranch(oldest, node, scanner, info.tipHeight, deps.clock.now());
  if (deep.exact && deep.anchor.height === info.tipHeight && params.staleAfterMs !== null) throw shorterChain(info);
  log.warn(
    { network: params.network, from: tip.height, forkHeight: deep.anchor.height, exact: deep.exact },
    'the chain was reorganised below the remembered blocks',
  );
  disconnectAbove(memory, -1);
  // The anchor's outputs may have been reported long ago, so track them in case it is reorged too.
  for (const output of [...deep.reorgedOutputs, ...deep.anchor.outputs]) {
    memory.unsettled.set(output.outputId, { output, wasReorged: true });
  }
  memory.chain.append(deep.anchor);
  memory.savedHeight = deep.anchor.height - 1;
}

// Helpers

function shorterChain({ tipHeight }: NodeInfo): RetryableError {
  return stillBehind(`the node has a shorter chain than was seen, without block ${tipHeight + 1}`);
}

function stillBehind(reason: string): RetryableError {
  return new RetryableError('NODE_SYNCING', `${reason}; waiting for it`);
}
