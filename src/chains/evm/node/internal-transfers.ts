import { messageOf, TerminalError } from '../../../platform/errors.ts';
import type { Cursor } from '../../port.ts';
import type { EvmRpc } from '../rpc/json-rpc.ts';
import { toQuantity } from '../rpc/read-response.ts';
import { asRpcError, isMissingState, isUnsupported } from '../rpc/rpc-rejections.ts';
import type { BlockTrace } from './evm-node.ts';
import { readCallTraces, readFlatTraces } from './traces.ts';

interface TraceMethod {
  readonly method: string;
  readonly params: (block: Cursor) => readonly unknown[];
  readonly read: (result: unknown, block: Cursor) => BlockTrace | null;
}

const METHODS: readonly TraceMethod[] = [
  {
    method: 'debug_traceBlockByHash', // geth, Erigon, Nethermind, Besu, Reth, anvil
    params: ({ blockHash }) => [blockHash, { tracer: 'callTracer' }],
    read: readCallTraces,
  },
  // Erigon, Nethermind, Besu, Reth, anvil
  { method: 'trace_block', params: ({ height }) => [toQuantity(height)], read: readFlatTraces },
];

/** The trace methods an endpoint may support; an unsupported one is tried only once. */
export interface TraceMemory {
  methods: readonly TraceMethod[];
}

export function createTraceMemory(): TraceMemory {
  return { methods: METHODS };
}

/** A poll waits for the trace, so a slow block is retried later. */
const TRACE_TIMEOUT_MS = 5_000;

/**
 * Ether sent by contracts to these addresses in one block. Null when the node does not support
 * tracing, or no longer has the state of this block: then the transaction behind a balance stays
 * unknown, which changes no amount. Throws an `AggregateError` when no method succeeds and at least
 * one fails for another reason.
 */
export async function fetchInternalTransfers(
  rpc: EvmRpc,
  memory: TraceMemory,
  addresses: ReadonlySet<string>,
  block: Cursor,
): Promise<BlockTrace | null> {
  const failures: unknown[] = [];
  for (const trace of memory.methods) {
    try {
      const response = await rpc.call(trace.method, trace.params(block), { timeoutMs: TRACE_TIMEOUT_MS });
      const found = trace.read(response, block);
      return found && { ...found, transfers: found.transfers.filter(({ to }) => addresses.has(to)) };
    } catch (error) {
      if (lacksMethod(error)) memory.methods = memory.methods.filter(({ method }) => method !== trace.method);
      else if (!lacksState(error)) failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(messageOf).join('; '));
  return null;
}

// Helpers

/**
 * Provider plans without tracing reject it like a wrong API key. Any other request shows whether
 * the key is valid.
 */
function lacksMethod(error: unknown): boolean {
  const rpcError = asRpcError(error);
  if (rpcError !== null) return isUnsupported(rpcError);
  return error instanceof TerminalError && error.code === 'NODE_REFUSED_CREDENTIALS';
}

function lacksState(error: unknown): boolean {
  const rpcError = asRpcError(error);
  return rpcError !== null && isMissingState(rpcError);
}
