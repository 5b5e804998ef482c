import { isRecord, type JsonRecord } from '../../../platform/is-record.ts';
import type { Cursor } from '../../port.ts';
import { asAddress, asHash, asList, asQuantity, asRecord, unusable } from '../rpc/read-response.ts';
import type { BlockTrace, InternalTransfer } from './evm-node.ts';

/**
 * Parsers of the two common trace formats. An internal transfer is ether moved by a contract: a
 * call with a value, the endowment of a created contract, or the balance of a self-destructed one.
 * A failed call, and everything below it, moved nothing. `DELEGATECALL` and `CALLCODE` show a value
 * but move none.
 */

const MOVING_FRAMES = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT']);

/**
 * Parses `debug_traceBlockByHash` with geth's `callTracer`: one call tree per transaction. Null for
 * an empty list: Besu also gives one for a block whose state it has dropped. Throws for results
 * that are not calls: some Besu versions return `Not Yet Implemented` for each transaction, and
 * nodes that ignore the tracer return opcodes.
 */
export function readCallTraces(value: unknown): BlockTrace | null {
  const entries = asList(value);
  if (entries.length === 0) return null;
  const transfers: InternalTransfer[] = [];
  const txids = new Set<string>();
  for (const entry of entries) {
    const { txHash, result } = asRecord(entry);
    const txid = asHash(txHash);
    txids.add(txid);
    // The root call is the transaction itself. A stack, because deep trees overflow a recursion.
    const open: JsonRecord[] = children(asFrame(result));
    for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
      if (hasFailed(frame)) continue;
      open.push(...children(frame));
      if (!MOVING_FRAMES.has(String(frame.type)) || frame.value === undefined) continue;
      const valueWei = asQuantity(frame.value);
      if (valueWei > 0n) transfers.push({ to: asAddress(frame.to), valueWei, txid });
    }
  }
  return { transfers, txids };
}

/**
 * Parses `trace_block` as introduced by OpenEthereum: a flat list of calls with tree positions.
 * Null when they are for another block, because it is requested by height, and for an empty list,
 * like `readCallTraces`.
 */
export function readFlatTraces(value: unknown, { blockHash }: Cursor): BlockTrace | null {
  const entries = asList(value);
  if (entries.length === 0) return null;
  const transfers: InternalTransfer[] = [];
  const txids = new Set<string>();
  /** Positions of failed calls. Their descendants were undone too, but do not say so. */
  const failed = new Set<string>();
  for (const entry of entries) {
    const trace = asRecord(entry);
    if (trace.blockHash !== undefined && asHash(trace.blockHash) !== blockHash) return null;
    // Block rewards belong to no transaction.
    if (trace.type === 'reward') continue;
    const txid = asHash(trace.transactionHash);
    txids.add(txid);
    const traceAddress = asList(trace.traceAddress).map(String);
    const path = [txid, ...traceAddress].join('/');
    // Parents precede their children in the list.
    if (hasFailed(trace) || failed.has([txid, ...traceAddress.slice(0, -1)].join('/'))) {
      failed.add(path);
      continue;
    }
    const transfer = traceAddress.length === 0 ? null : readFlatTransfer(trace, txid);
    if (transfer !== null && transfer.valueWei > 0n) transfers.push(transfer);
  }
  return { transfers, txids };
}

// Helpers

function asFrame(value: unknown): JsonRecord {
  const frame = asRecord(value);
  if (typeof frame.type !== 'string') throw unusable(value, 'a call trace');
  return frame;
}

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
