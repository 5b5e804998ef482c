import type { EvmNode, InternalTransfer } from './evm-node.ts';

/** What contracts sent, in a block, to the addresses that are of interest there; null where the node does not trace. */
export type TracedAt = (height: number) => Promise<InternalTransfer[] | null>;

/** Traces a block when that is first asked for, once for all addresses: a trace is the costliest of all questions. */
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
