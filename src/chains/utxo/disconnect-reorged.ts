import type { Clock } from '../../platform/clock.ts';
import type { RetryableError } from '../../platform/errors.ts';
import type { EventLog } from '../../platform/log.ts';
import type { Cursor, WatcherStore, WatchSet } from '../port.ts';
import { findFork } from '../sync/find-fork.ts';
import { disconnectAbove, type WatcherMemory } from '../sync/memory.ts';
import { nodeSyncing } from '../sync/node-syncing.ts';
import type { Finding } from '../sync/reporter.ts';
import type { UtxoChainParams } from './chain-params.ts';
import { walkStaleBranch } from './deep-fork.ts';
import { createScanner } from './find-watched-outputs.ts';
import type { NodeInfo, UtxoNode } from './node.ts';
import { requireNetwork } from './require-network.ts';

export interface DisconnectDeps {
  readonly params: UtxoChainParams;
  readonly node: UtxoNode;
  readonly watchSet: WatchSet;
  readonly clock: Clock;
  readonly log: EventLog;
}

/**
 * Disconnects blocks from `tip`, the tip in memory, down to the newest scanned block in the best
 * chain, however deep.
 */
export async function disconnectReorged(
  deps: DisconnectDeps,
  memory: WatcherMemory,
  tip: Cursor,
  info: NodeInfo,
  behind: string | null,
): Promise<void> {
  const { node, params, log } = deps;
  const fork = await findFork(memory.chain, node, info.tipHeight);
  if (fork === tip.height) return;
  // A node that is still syncing has a shorter chain without any reorg.
  if (behind !== null) throw nodeSyncing(behind);
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
  const deep = await walkStaleBranch(memory.chain.oldest() ?? tip, node, scanner, info.tipHeight, deps.clock.now());
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

/**
 * Replaces findings of outputs that are gone where a stored block of the best chain has them, below
 * those in memory. A chain that goes far back and returns leaves such outputs unsettled when a
 * failure occurs in between: the list of unsettled outputs is saved before the cursor. One that
 * this process saw in the mempool first is in no stored block.
 */
export async function withoutRecordedBelow(
  { store, node }: { readonly store: WatcherStore; readonly node: Pick<UtxoNode, 'blockHashes'> },
  memory: WatcherMemory,
  gone: readonly Finding[],
): Promise<Finding[]> {
  const mayBeRecorded = gone.filter(({ output }) => {
    const known = memory.unsettled.get(output.outputId);
    return known?.wasLoaded === true || known?.wasReorged === true;
  });
  if (mayBeRecorded.length === 0) return [...gone];
  const ids = mayBeRecorded.map(({ output }) => output.outputId);
  const below = await store.findRecorded(ids, memory.chain.oldest()?.height ?? 0);
  const hashes = below.length === 0 ? [] : await node.blockHashes(below.map(({ height }) => height));
  const canonical = below.filter(({ blockHash }, index) => hashes[index] === blockHash);
  const byOutput = new Map(canonical.map((each) => [each.outputId, each]));
  return gone.map((finding) => {
    const recorded = byOutput.get(finding.output.outputId);
    if (recorded === undefined) return finding;
    const { height, blockHash } = recorded;
    return { ...finding, status: { kind: 'block', height, blockHash } };
  });
}

// Helpers

function shorterChain({ tipHeight }: NodeInfo): RetryableError {
  return nodeSyncing(`the node has a shorter chain than was seen, without block ${tipHeight + 1}`);
}
