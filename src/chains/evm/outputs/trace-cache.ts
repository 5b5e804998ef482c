import type { Cursor } from '../../port.ts';
import type { BlockTrace, EvmNode } from '../node/evm-node.ts';

/** What contracts sent to the relevant addresses in a block; null where the node does not trace. */
export type TraceBlock = (block: Cursor) => Promise<BlockTrace | null>;

/** Traces each block once, on first use, for all addresses: traces are the most expensive query. */
export function createTraceCache(
  node: Pick<EvmNode, 'internalTransfers'>,
  addressesAt: (height: number) => ReadonlySet<string>,
): TraceBlock {
  const traces = new Map<string, Promise<BlockTrace | null>>();
  return (block) => {
    const trace = traces.get(block.blockHash) ?? node.internalTransfers(addressesAt(block.height), block);
    traces.set(block.blockHash, trace);
    return trace;
  };
}
