import { asAddress, asHash, asList, asQuantity, asRecord, isRecord, type JsonRecord } from './answer.ts';
import type { InternalTransfer } from './evm-node.ts';

/**
 * Readers of the two kinds of traces in use. An internal transfer is ether moved by a contract: a call with a value, the
 * endowment of a created contract, or what a destroyed one leaves behind. What was undone with a failed call moved nothing.
 * `DELEGATECALL` and `CALLCODE` show a value too, but move none.
 */

const MOVING_FRAMES = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT']);

/** Of `debug_traceBlockByNumber` with geth's `callTracer`: one tree of calls per transaction. */
export function readCallTraces(value: unknown): InternalTransfer[] {
  const transfers: InternalTransfer[] = [];
  for (const entry of asList(value)) {
    const { txHash, result } = asRecord(entry);
    const txid = asHash(txHash);
    // The uppermost call is the transaction itself. The stack spares deep trees the recursion.
    const open: JsonRecord[] = children(asRecord(result));
    for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
      if (hasFailed(frame)) continue;
      open.push(...children(frame));
      if (!MOVING_FRAMES.has(String(frame.type)) || frame.value === undefined) continue;
      const valueWei = asQuantity(frame.value);
      if (valueWei > 0n) transfers.push({ to: asAddress(frame.to), valueWei, txid });
    }
  }
  return transfers;
}

/** Of `trace_block` as OpenEthereum introduced it: a flat list, each call naming its place in the tree. */
export function readFlatTraces(value: unknown): InternalTransfer[] {
  const transfers: InternalTransfer[] = [];
  /** Places of failed calls; everything below one was undone, though only it says so. */
  const failed = new Set<string>();
  for (const entry of asList(value)) {
    const trace = asRecord(entry);
    // Rewards for blocks belong to no transaction.
    if (trace.type === 'reward') continue;
    const txid = asHash(trace.transactionHash);
    const places = asList(trace.traceAddress).map(String);
    const place = [txid, ...places].join('/');
    // A list names every call before those it made.
    if (hasFailed(trace) || failed.has([txid, ...places.slice(0, -1)].join('/'))) {
      failed.add(place);
      continue;
    }
    const transfer = places.length === 0 ? null : readFlatTransfer(trace, txid);
    if (transfer !== null && transfer.valueWei > 0n) transfers.push(transfer);
  }
  return transfers;
}

// Helpers

function children(frame: JsonRecord): JsonRecord[] {
  return hasFailed(frame) || frame.calls === undefined ? [] : asList(frame.calls).map(asRecord).reverse();
}

function hasFailed({ error }: JsonRecord): boolean {
  return error !== undefined && error !== null;
}

function readFlatTransfer(trace: JsonRecord, txid: string): InternalTransfer | null {
  const action = asRecord(trace.action);
  switch (trace.type) {
    case 'call':
      if (action.callType !== 'call') return null;
      return { to: asAddress(action.to), valueWei: asQuantity(action.value), txid };
    case 'create': {
      const created = isRecord(trace.result) ? trace.result.address : undefined;
      return { to: asAddress(created), valueWei: asQuantity(action.value), txid };
    }
    case 'suicide':
    case 'selfdestruct':
      return { to: asAddress(action.refundAddress), valueWei: asQuantity(action.balance), txid };
    default:
      return null;
  }
}
