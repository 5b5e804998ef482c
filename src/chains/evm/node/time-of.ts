import type { UnixMs } from '../../../../machines/index.ts';
import type { Cursor } from '../../port.ts';
import { unlessPruned } from '../rpc/rpc-rejections.ts';
import type { EvmNode } from './evm-node.ts';
import { LeftChainError } from './state-at.ts';

/**
 * The timestamp of a block; null when the node has pruned it. Throws `LeftChainError` when the
 * block is not in the node's best chain.
 */
export async function timeOf(node: Pick<EvmNode, 'blocks'>, block: Cursor): Promise<UnixMs | null> {
  const found = await unlessPruned(node.blocks([block.height]));
  if (found === null) return null;
  if (found[0]?.hash !== block.blockHash) throw new LeftChainError(block);
  return found[0].timeSeconds * 1000;
}
