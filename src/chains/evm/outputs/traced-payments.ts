import type { Cursor } from '../../port.ts';
import type { BlockTrace, EvmNode, InternalTransfer } from '../node/evm-node.ts';

/** What the contracts of each transaction sent to an address, in block order. */
export function paidTo(address: string, traced: readonly InternalTransfer[]): TracedPayment[] {
  const sums = new Map<string, bigint>();
  for (const { to, txid, valueWei } of traced) {
    if (to === address && valueWei > 0n) sums.set(txid, (sums.get(txid) ?? 0n) + valueWei);
  }
  return [...sums].map(([txid, amountBaseUnits]) => ({ txid, amountBaseUnits }));
}

export interface TracedPayment {
  readonly txid: string;
  readonly amountBaseUnits: bigint;
}

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
