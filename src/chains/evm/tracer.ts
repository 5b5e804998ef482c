import type { EvmNode, InternalTransfer } from './evm-node.ts';

/** What contracts sent in a block to the relevant addresses; null where the node does not trace. */
export type TracedAt = (height: number) => Promise<InternalTransfer[] | null>;

/** Traces each block once, on first use, for all addresses: traces are the most expensive query. */
export function createTracer(
  node: Pick<EvmNode, 'internalTransfers'>,
  addressesAt: (height: number) => ReadonlySet<string>,
): TracedAt {
  const traces = new Map<number, Promise<InternalTransfer[] | null>>();
  return (height) => {
    const trace = traces.get(height) ?? node.internalTransfers(addressesAt(height), height);
    traces.set(height, trace);
    return trace;
  };
}
