import type { UnixMs } from '../../../machines/index.ts';
import { RetryableError } from '../../platform/errors.ts';
import type { Cursor, ScannedBlock, TrackedOutput } from '../port.ts';
import type { Scanner } from './find-watched-outputs.ts';
import type { UtxoNode } from './node.ts';

/** How far below the remembered blocks scanning restarts when the node lacks the stale branch. */
const UNKNOWN_BRANCH_BLOCKS = 500;

/** A fork below the remembered blocks, and the outputs of the stale branch above it. */
export interface DeepFork {
  /** The newest common block, scanned again so that it can be disconnected like any other. */
  readonly anchor: ScannedBlock;
  readonly reorgedOutputs: readonly TrackedOutput[];
  /** False when the node lacks the stale branch; `anchor` is then a safe distance lower. */
  readonly exact: boolean;
}

/**
 * Walks down a stale branch below the remembered blocks. Nodes keep stale blocks, so these can
 * still be read. A freshly synced node does not have them: scanning then restarts
 * `UNKNOWN_BRANCH_BLOCKS` lower and reports some outputs twice. Throws `TIP_MOVED` when the restart
 * block was reorged.
 */
export async function walkStaleBranch(
  oldest: Cursor,
  node: UtxoNode,
  scanner: Scanner,
  tipHeight: number,
  now: UnixMs,
): Promise<DeepFork> {
  const reorgedOutputs: TrackedOutput[] = [];
  let { height, blockHash } = oldest;
  while (height > 0) {
    const parent = await node.previousBlockHash(blockHash);
    if (parent === null) break;
    height -= 1;
    blockHash = parent;
    const [canonical] = await node.blockHashes([height]);
    const block = await scan({ height, blockHash }, node, scanner, now);
    if (canonical === blockHash && block !== null) return { anchor: block, reorgedOutputs, exact: true };
    if (block === null) break;
    reorgedOutputs.push(...block.outputs);
  }
  const restart = Math.max(0, Math.min(height, tipHeight) - UNKNOWN_BRANCH_BLOCKS);
  const [restartHash] = await node.blockHashes([restart]);
  const anchor = restartHash ? await scan({ height: restart, blockHash: restartHash }, node, scanner, now) : null;
  if (anchor === null) {
    throw new RetryableError('TIP_MOVED', `block ${restart} left the best chain while scanning restarted there`);
  }
  return { anchor, reorgedOutputs, exact: false };
}

async function scan(cursor: Cursor, node: UtxoNode, scanner: Scanner, now: UnixMs): Promise<ScannedBlock | null> {
  const [raw] = await node.blocks([cursor.blockHash]);
  return raw ? scanner.scanBlock(raw, cursor.height, cursor.blockHash, now) : null;
}
