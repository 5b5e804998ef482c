import { RetryableError } from '../../errors.ts';
import { findFork } from '../following/fork.ts';
import { disconnectAbove, loadMemory } from '../following/memory.ts';
import type { WatcherLog } from '../log.ts';
import type { WatcherStore } from '../port.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmHeads, EvmNode } from './evm-node.ts';
import type { EvmChainParams } from './evm-params.ts';
import { STORED_BLOCKS } from './record.ts';

export interface JoinDeps {
  readonly node: EvmNode;
  readonly store: WatcherStore;
  readonly params: Pick<EvmChainParams, 'network' | 'staleAfterMs'>;
  readonly log: WatcherLog;
}

/** Blocks below the head at which a watcher that never ran begins, so that a first reorganisation is followed. */
export const BEGIN_DEPTH_BLOCKS = 12;
/** How far below everything stored scanning restarts when none of it is in the best chain. */
export const UNKNOWN_BRANCH_BLOCKS = 500;

/**
 * Begins, or steps back to the newest scanned block that is in the best chain, however far that is. Answers the height of
 * the fork after a reorganisation, else null. A node that is behind has a shorter chain without anything
 * having been undone; then this throws. It also does for one that was in step and shows a shorter chain all of a sudden,
 * where blocks have a rhythm: a real reorganisation shows a block of its own soon, and what stands still grows stale.
 */
export async function joinBestChain(
  deps: JoinDeps,
  memory: EvmMemory,
  heads: EvmHeads,
  behind: string | null,
): Promise<number | null> {
  const tip = memory.chain.tip();
  if (tip === null) {
    if (behind !== null) throw stillBehind(behind);
    await beginAt(deps, memory, Math.max(0, heads.latest.height - BEGIN_DEPTH_BLOCKS));
    return null;
  }
  const near = await findFork(memory.chain, deps.node, heads.latest.height);
  if (near === tip.height) return null;
  const reason = behind ?? (await reasonUnproven(deps, memory, heads.latest.height, near));
  if (reason !== null) throw stillBehind(reason);
  const fork = near ?? (await stepBelowMemory(deps, memory, heads.latest.height));
  memory.staleAbove = Math.min(fork, memory.staleAbove ?? fork);
  if (near !== null) disconnectAbove(memory, near);
  deps.log.info({ network: deps.params.network, from: tip.height, forkHeight: fork }, 'the chain was reorganised');
  return fork;
}

// Helpers

/**
 * Why a chain that ends below the remembered tip may have undone nothing; null when it shows a block of its own. Asked for that very
 * block and not only for its head: of the machines that answer at one URL some are a moment behind, in either answer. A head below
 * everything remembered has been set back: one that is so far behind would be too old.
 */
async function reasonUnproven(
  { node, params }: JoinDeps,
  { chain }: EvmMemory,
  headHeight: number,
  forkHeight: number | null,
): Promise<string | null> {
  const undone = forkHeight === null ? chain.oldest() : chain.at(forkHeight + 1);
  if (params.staleAfterMs === null || undone === null) return null;
  if (forkHeight === null && headHeight < undone.height) return null;
  const [hash] = await node.blockHashes([undone.height]);
  if (hash && hash !== undone.blockHash) return null;
  return `the node has a shorter chain than was seen, without block ${undone.height}`;
}

/** Starts with an unscanned block, so that the first scanned one has something to name. */
async function beginAt({ node }: JoinDeps, memory: EvmMemory, height: number): Promise<void> {
  const [blockHash] = await node.blockHashes([height]);
  if (!blockHash) throw new RetryableError('TIP_MOVED', `block ${height} left the best chain while beginning there`);
  memory.chain.append({ height, blockHash, outputs: [] });
  memory.savedHeight = height - 1;
}

/**
 * The store keeps more blocks than the memory. Nodes do not tell what stale blocks held, so where even the store does not
 * reach, scanning restarts well below and says some things twice, which is harmless.
 */
async function stepBelowMemory(deps: JoinDeps, memory: EvmMemory, headHeight: number): Promise<number> {
  const lowest = memory.chain.oldest()?.height ?? 0;
  const stored = (await loadMemory(deps.store, STORED_BLOCKS)).chain;
  const fork = await findFork(stored, deps.node, Math.min(headHeight, lowest - 1));
  const older = stored.above(-1).filter(({ height }) => height < lowest);
  disconnectAbove(memory, -1);
  for (const block of older) {
    if (fork !== null && block.height <= fork) memory.chain.append(block);
    else for (const output of block.outputs) memory.unsettled.set(output.outputId, { output, fellOut: true });
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
  await beginAt(deps, memory, restart);
  return restart;
}

function stillBehind(reason: string): RetryableError {
  return new RetryableError('NODE_SYNCING', `${reason}; waiting for it`);
}
