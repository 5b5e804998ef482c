import { RetryableError } from '../../errors.ts';
import type { Cursor } from '../port.ts';
import { toQuantity } from './answer.ts';
import { readHead } from './blocks.ts';
import type { EvmRpc } from './json-rpc.ts';
import { asRpcError, isMissingState, isNotCanonical } from './rpc-refusals.ts';

/**
 * A block is not in the best chain of the machine that answered: the chain was reorganised, or the
 * URL is served by several machines and this one has another head. The next poll sees which.
 */
export class LeftChainError extends RetryableError {
  constructor({ height, blockHash }: Cursor) {
    super('BLOCK_LEFT_CHAIN', `block ${height} (${blockHash}) is not in the best chain of the node that answered`);
  }
}

/**
 * The block parameter of a state query (EIP-1898). By its hash, because with a height the answer
 * may be about a sibling block, whose coins the best chain never had.
 */
export function stateAt({ blockHash }: Cursor): { readonly blockHash: string; readonly requireCanonical: true } {
  return { blockHash, requireCanonical: true };
}

/**
 * The result of state queries at a block; null when the node no longer has its state. Throws
 * `LeftChainError` when the block is not in the node's best chain.
 */
export async function whereStateExists<T>(rpc: EvmRpc, block: Cursor, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    const rpcError = asRpcError(error);
    if (rpcError === null || !(isMissingState(rpcError) || isNotCanonical(rpcError))) throw error;
    // Nodes use the same words for a block they do not know and for one whose state they dropped.
    const found = await rpc.call('eth_getBlockByNumber', [toQuantity(block.height), false]);
    if (found === null || readHead(found).hash !== block.blockHash) throw new LeftChainError(block);
    return null;
  }
}

/** The result; null when a block was not in the best chain. */
export async function unlessLeftChain<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof LeftChainError) return null;
    throw error;
  });
}
