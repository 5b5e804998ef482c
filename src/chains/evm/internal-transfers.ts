import { RetryableError, TerminalError } from '../../errors.ts';
import { toQuantity } from './answer.ts';
import type { InternalTransfer } from './evm-node.ts';
import type { EvmRpc } from './json-rpc.ts';
import { asRpcError, isMissingState, isUnsupported } from './rpc-refusals.ts';
import { readCallTraces, readFlatTraces } from './traces.ts';

interface TraceMethod {
  readonly method: string;
  readonly params: (height: number) => readonly unknown[];
  readonly read: (result: unknown) => InternalTransfer[];
}

const METHODS: readonly TraceMethod[] = [
  {
    method: 'debug_traceBlockByNumber', // geth, Erigon, Nethermind, Besu, Reth, anvil
    params: (height) => [toQuantity(height), { tracer: 'callTracer' }],
    read: readCallTraces,
  },
  { method: 'trace_block', params: (height) => [toQuantity(height)], read: readFlatTraces }, // Erigon, Nethermind, Besu, Reth, anvil
];

/** The ways of tracing an endpoint may still have; it is asked once for each that it has not. */
export interface TraceMemory {
  methods: readonly TraceMethod[];
}

export function createTraceMemory(): TraceMemory {
  return { methods: METHODS };
}

/**
 * Ether moved by contracts to these addresses in one block. Null when the node does not trace at all, or not this block (it
 * has dropped the state): the transaction behind a balance is then not known, which changes no amount.
 */
export async function askInternalTransfers(
  rpc: EvmRpc,
  memory: TraceMemory,
  addresses: ReadonlySet<string>,
  height: number,
): Promise<InternalTransfer[] | null> {
  for (const trace of memory.methods) {
    try {
      const transfers = trace.read(await rpc.call(trace.method, trace.params(height)));
      return transfers.filter(({ to }) => addresses.has(to));
    } catch (error) {
      if (lacksMethod(error)) memory.methods = memory.methods.filter(({ method }) => method !== trace.method);
      else if (!cannotTraceThis(error)) throw error;
    }
  }
  return null;
}

// Helpers

/** Plans without tracing refuse it as if the API key were wrong; whether it is, any other question shows. */
function lacksMethod(error: unknown): boolean {
  const rpcError = asRpcError(error);
  if (rpcError !== null) return isUnsupported(rpcError);
  return error instanceof TerminalError && error.code === 'NODE_REFUSED_CREDENTIALS';
}

/** Missing state, or a dialect we cannot read (geth before 1.12 does not name the transactions). */
function cannotTraceThis(error: unknown): boolean {
  const rpcError = asRpcError(error);
  if (rpcError !== null) return isMissingState(rpcError);
  return error instanceof RetryableError && error.code === 'NODE_ANSWER_UNUSABLE';
}
