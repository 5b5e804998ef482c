import { RetryableError } from '../../platform/errors.ts';
import type { RescanRange, RescanResult } from '../port.ts';
import type { WatcherMemory } from '../sync/memory.ts';
import type { Finding } from '../sync/reporter.ts';
import { BATCH_ROUNDS, rescanRange } from '../sync/rescan-range.ts';
import { createScanner } from './find-watched-outputs.ts';
import type { PollDeps, PollResult } from './poll.ts';
import { adopt } from './verify-outputs.ts';

/**
 * Reads blocks of the best chain again and reports outputs to watched keys. The watcher polls up to
 * the tip first, so that reported outputs are tracked from then on. If the tip moves while a batch
 * is read, the batch is read again, because some of its blocks may have left the best chain.
 */
export async function rescanBlocks(
  deps: PollDeps,
  memory: WatcherMemory,
  range: RescanRange,
  poll: () => Promise<PollResult>,
): Promise<RescanResult> {
  return rescanRange(range, poll, (fromHeight, toHeight) => {
    const heights = Array.from({ length: toHeight - fromHeight + 1 }, (_, index) => fromHeight + index);
    return rescanBatch(deps, memory, heights, poll);
  });
}

// Helpers

/** Returns the number of reported outputs. */
async function rescanBatch(
  deps: PollDeps,
  memory: WatcherMemory,
  heights: readonly number[],
  poll: () => Promise<PollResult>,
): Promise<number> {
  for (let round = 1; round <= BATCH_ROUNDS; round += 1) {
    const findings = await readBatch(deps, memory, heights);
    const tip = memory.chain.tip();
    if (findings !== null && tip !== null && (await deps.node.bestBlockHash()) === tip.blockHash) {
      await adopt(deps, memory, findings, tip);
      await deps.reporter.report(memory, findings, { isForced: true });
      return findings.length;
    }
    await poll();
  }
  throw new RetryableError('TIP_MOVED', 'the tip changed during every attempt to read blocks again');
}

/** Null when a block is missing from the best chain or differs from the one the watcher scanned. */
async function readBatch(deps: PollDeps, memory: WatcherMemory, heights: readonly number[]): Promise<Finding[] | null> {
  const { node, watchSet, params, clock } = deps;
  const hashes = (await node.blockHashes(heights)).filter((hash) => hash !== null);
  const blocks = await node.blocks(hashes);
  await watchSet.refresh();
  const scanner = createScanner(memory, params.asset, watchSet);
  const findings: Finding[] = [];
  for (const [index, height] of heights.entries()) {
    const blockHash = hashes[index];
    const raw = blocks[index];
    const remembered = memory.chain.at(height)?.blockHash ?? blockHash;
    if (blockHash === undefined || !raw || remembered !== blockHash) return null;
    const { outputs } = scanner.scanBlock(raw, height, blockHash, clock.now());
    findings.push(...outputs.map((output): Finding => ({ output, status: { kind: 'block', height, blockHash } })));
  }
  return findings;
}
