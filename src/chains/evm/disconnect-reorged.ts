import type { EventLog } from '../../platform/log.ts';
import type { Cursor, WatcherStore } from '../port.ts';
import { beginScanAt } from '../sync/begin-scan.ts';
import { findFork } from '../sync/find-fork.ts';
import { disconnectAbove, loadMemory, STORED_BLOCKS } from '../sync/memory.ts';
import { nodeSyncing } from '../sync/node-syncing.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmChainParams } from './evm-params.ts';
import type { EvmHeads, EvmNode } from './node/evm-node.ts';

export interface DisconnectDeps {
  readonly node: EvmNode;
  readonly store: WatcherStore;
  readonly params: Pick<EvmChainParams, 'network' | 'staleAfterMs'>;
  readonly log: EventLog;
}

/** How far below all stored blocks scanning restarts when none of them is in the best chain. */
export const UNKNOWN_BRANCH_BLOCKS = 500;

/**
 * Disconnects blocks from `tip`, the tip in memory, down to the newest scanned block in the best
 * chain, however deep. Returns the fork height after a reorganisation, else null.
 *
 * A node that is behind has a shorter chain although nothing was undone; this throws
 * `RetryableError` `NODE_SYNCING`. On networks with regular blocks it also throws for a synced node
 * whose chain is suddenly shorter: after a real reorganisation a competing block appears soon, and
 * a chain that stops growing becomes stale.
 */
export async function disconnectReorged(
  deps: DisconnectDeps,
  memory: EvmMemory,
  tip: Cursor,
  heads: EvmHeads,
  behind: string | null,
): Promise<number | null> {
  if (heads.latest.hash === tip.blockHash) return null;
  const near = await findFork(memory.chain, deps.node, heads.latest.height);
  if (near === tip.height) return null;
  const reason = behind ?? (await reasonUnproven(deps, memory, heads.latest.height, near));
  if (reason !== null) throw nodeSyncing(reason);
  const fork = near ?? (await stepBelowMemory(deps, memory, heads.latest.height));
  memory.staleAbove = Math.min(fork, memory.staleAbove ?? fork);
  if (near !== null) disconnectAbove(memory, near);
  deps.log.info({ network: deps.params.network, from: tip.height, forkHeight: fork }, 'the chain was reorganised');
  return fork;
}

// Helpers

/**
 * Why a chain that ends below the tip in memory may not be a reorganisation; null when it has
 * another block there. Queries that very block, not only the head: some machines behind one URL lag
 * briefly, for either query. A head below every block in memory was set back: an endpoint lagging
 * that far would be stale.
 */
async function reasonUnproven(
  { node, params }: DisconnectDeps,
  { chain }: EvmMemory,
  headHeight: number,
  forkHeight: number | null,
): Promise<string | null> {
  const undone = forkHeight === null ? chain.oldest() : chain.at(forkHeight + 1);
  if (params.staleAfterMs === null || undone === null) return null;
  if (forkHeight === null && headHeight < undone.height) return null;
  const [hash] = await node.blockHashes([undone.height]);
  // A head below that block is from a lagging machine: this poll would end before the new branch.
  if (hash && hash !== undone.blockHash && headHeight >= undone.height) return null;
  return `the node has a shorter chain than was seen, without block ${undone.height}`;
}

/**
 * The store keeps more blocks than the memory. Nodes do not return what stale blocks contained, so
 * below the stored blocks scanning restarts well below and reports some outputs twice (harmless).
 */
async function stepBelowMemory(deps: DisconnectDeps, memory: EvmMemory, headHeight: number): Promise<number> {
  const lowest = memory.chain.oldest()?.height ?? 0;
  const stored = (await loadMemory(deps.store, STORED_BLOCKS)).chain;
  const fork = await findFork(stored, deps.node, Math.min(headHeight, lowest - 1));
  const older = stored.above(-1).filter(({ height }) => height < lowest);
  disconnectAbove(memory, -1);
  for (const block of older) {
    if (fork !== null && block.height <= fork) memory.chain.append(block);
    else for (const output of block.outputs) memory.unsettled.set(output.outputId, { output, wasReorged: true });
  }
  if (fork !== null) {
    memory.savedHeight = fork;
    return fork;
  }
  const restart = Math.max(0, Math.min(headHeight, older[0]?.height ?? lowest) - UNKNOWN_BRANCH_BLOCKS);
  deps.log.warn(
    { network: deps.params.network, restart },
    'no stored block is in the best chain; scanning restarts below them',
  );
  await beginScanAt(deps.node, memory, restart);
  return restart;
}
