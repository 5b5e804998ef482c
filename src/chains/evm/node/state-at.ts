import { RetryableError } from '../../../platform/errors.ts';
import type { Cursor } from '../../port.ts';
import type { EvmRpc } from '../rpc/json-rpc.ts';
import { asCount, toQuantity } from '../rpc/read-response.ts';
import {
  asRpcError,
  isAbsentBlock,
  isFailedCall,
  isHistoryPruned,
  isMissingState,
  requestsPause,
} from '../rpc/rpc-rejections.ts';
import { readHead } from './blocks.ts';

/**
 * A block is not in the best chain of the machine that responded: the chain was reorganised, or the
 * URL is served by several machines and this one has another head. The next poll shows which.
 */
export class LeftChainError extends RetryableError {
  constructor({ height, blockHash }: Cursor) {
    super('BLOCK_LEFT_CHAIN', `block ${height} (${blockHash}) is not in the best chain of the node that responded`);
  }
}

/**
 * The block parameter of a state query (EIP-1898). By its hash, because with a height the response
 * may be about a sibling block, whose coins the best chain never had.
 */
export function stateAt({ blockHash }: Cursor): { readonly blockHash: string; readonly requireCanonical: true } {
  return { blockHash, requireCanonical: true };
}

/**
 * How often a state is requested before it counts as dropped. One response may be from a lagging
 * machine that does not know the block and may use the same error, which would make coins part of
 * an expected balance permanently.
 */
const MISSING_STATE_RESPONSES = 4;

/**
 * The result of state queries at a block; null when the node no longer has its state. Throws
 * `LeftChainError` when the block is not in the node's best chain.
 */
export async function whereStateExists<T>(rpc: EvmRpc, block: Cursor, ask: () => Promise<T>): Promise<T | null> {
  for (let responses = 1; ; responses += 1) {
    try {
      return await ask();
    } catch (error) {
      const rpcError = asRpcError(error);
      if (rpcError === null || requestsPause(rpcError) || isFailedCall(rpcError)) throw error;
      // Nodes use many errors for a block that is not in their chain, some of them also for a block
      // whose state they dropped. So the chain decides.
      if (!(await isInChain(rpc, block))) throw new LeftChainError(block);
      if (!isMissingState(rpcError)) throw error;
      if (responses === MISSING_STATE_RESPONSES) return null;
    }
  }
}

/** The result; null when a block was not in the best chain. */
export async function unlessLeftChain<T>(response: Promise<T>): Promise<T | null> {
  return response.catch((error: unknown) => {
    if (error instanceof LeftChainError) return null;
    throw error;
  });
}

// Helpers

/** A node without old blocks is assumed to have had the block if its head is not below it. */
async function isInChain(rpc: EvmRpc, { height, blockHash }: Cursor): Promise<boolean> {
  const [found, head] = await rpc.batch([
    { method: 'eth_getBlockByNumber', params: [toQuantity(height), false] },
    { method: 'eth_blockNumber', params: [] },
  ]);
  if (found?.ok === true && found.result !== null) return readHead(found.result).hash === blockHash;
  if (found?.ok === false && !isAbsentBlock(found.error) && !isHistoryPruned(found.error)) throw found.error;
  if (head?.ok !== true) throw head?.error ?? new RetryableError('NODE_RESPONSE_UNUSABLE', 'the node returned no head');
  return asCount(head.result) >= height;
}
