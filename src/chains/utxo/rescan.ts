import { RetryableError } from '../../errors.ts';
import type { WatcherMemory } from '../following/memory.ts';
import type { Finding } from '../following/reporter.ts';
import type { RescanRange, RescanResult } from '../port.ts';
import type { LookDeps, LookResult } from './look.ts';
import { createScanner } from './scan.ts';
import { adopt } from './verify.ts';

/** Blocks read, matched and reported together. */
const BLOCKS_PER_PART = 10;

/**
 * Reads blocks of the best chain again and reports what pays a watched key. The watcher is brought up to the tip first,
 * so that what is reported is followed from then on, and a part whose blocks leave the best chain meanwhile is read anew.
 */
export async function rescanBlocks(
  deps: LookDeps,
  memory: WatcherMemory,
  { fromHeight, toHeight }: RescanRange,
  look: () => Promise<LookResult>,
): Promise<RescanResult> {
  const { tipHeight } = await look();
  if (fromHeight < 0 || toHeight < fromHeight || toHeight > tipHeight) {
    throw new RangeError(`blocks ${fromHeight} to ${toHeight} cannot be read: the chain has blocks 0 to ${tipHeight}`);
  }
  let outputs = 0;
  for (let start = fromHeight; start <= toHeight; start += BLOCKS_PER_PART) {
    const count = Math.min(BLOCKS_PER_PART, toHeight - start + 1);
    const heights = Array.from({ length: count }, (_, index) => start + index);
    const findings = await readPart(deps, memory, heights);
    const tip = memory.chain.tip();
    if (tip !== null) await adopt(deps, memory, findings, tip);
    await deps.reporter.report(memory, findings);
    outputs += findings.length;
  }
  return { blocks: toHeight - fromHeight + 1, outputs };
}

async function readPart(deps: LookDeps, memory: WatcherMemory, heights: readonly number[]): Promise<Finding[]> {
  const { node, watchSet, params, clock } = deps;
  const hashes = await node.blockHashes(heights);
  const known = hashes.filter((hash) => hash !== null);
  const blocks = await node.blocks(known);
  await watchSet.refresh();
  const scanner = createScanner(memory, params.asset, (watchKey) => watchSet.has(watchKey));
  const findings: Finding[] = [];
  for (const [index, height] of heights.entries()) {
    const blockHash = hashes[index];
    const raw = blocks[index];
    if (!blockHash || !raw) throw new RetryableError('TIP_MOVED', `block ${height} left the best chain meanwhile`);
    const { outputs } = scanner.scanBlock(raw, height, blockHash, clock.now());
    findings.push(...outputs.map((output): Finding => ({ output, standing: { kind: 'block', height, blockHash } })));
  }
  return findings;
}
