import { RetryableError, TerminalError } from '../../../platform/errors.ts';
import { RpcError } from '../../rpc/rpc-call.ts';

/**
 * Classifies JSON-RPC errors. Codes are not enough: geth returns -32000 for nearly everything, and
 * providers use a dozen codes for the same rejection. So messages are matched as well, with
 * patterns for geth, Erigon, Nethermind, Besu, Reth, anvil and the large providers.
 */

const METHOD_NOT_FOUND = -32_601;
/** The response of EIP-1898 for an unknown block hash. */
const RESOURCE_NOT_FOUND = -32_001;
const METHOD_NOT_SUPPORTED = -32_004;
const LIMIT_EXCEEDED = -32_005;
/** Not in EIP-1474; geth returns 3 for a reverted call. */
const EXECUTION_REVERTED = 3;
const TOO_MANY_REQUESTS = 429;
const CONTENT_TOO_LARGE = 413;
/** From the execution API specification. */
const UNKNOWN_BLOCK = -39_001;
/** EIP-4444: the node has dropped old blocks. */
const HISTORY_EXPIRED = 4_444;

const RATE_LIMIT =
  /rate.?limit|too many requests|request limit|requests per|capacity|compute units|throughput|daily (request|limit)|quota/i;
const UNSUPPORTED =
  /method.*(not (found|supported|available|exist|allowed|enabled|whitelisted)|is disabled|unavailable)|unsupported method|not available on|upgrade (to|your)|(paid|free|higher) (plan|tier)|tracing is (not|disabled)|tracer|not implemented/i;
const MISSING_STATE =
  /missing trie node|header for hash not found|state.*(not available|unavailable|missing|pruned|not found)|no state|header not found|block (not found|does not exist)|unknown block|blockoutofrange|pruned|pruning|archive|historical|distance to target block|world state/i;
const RANGE_TOO_LARGE =
  /range|results|response.*(size|big|large)|too (many|large|big|wide)|exceed|limited to|time(d)? ?out|deadline/i;
const ABOVE_TIP = /beyond|future|invalid block range|above|not yet|block ?out ?of ?range|unknown block|not found/i;
const HISTORY_PRUNED = /pruned history|history (has been |is )?(pruned|expired|unavailable)/i;
const ABSENT_BLOCK = /header not found|block (not found|does not exist)|unknown block|blockoutofrange/i;
const GAS = /out of gas|gas (limit|allowance)|intrinsic gas|gas required|exceeds.*gas/i;
const REVERTED = /revert/i;

/** The node limits the rate of all requests. */
export function isRateLimit(message: string): boolean {
  return RATE_LIMIT.test(message);
}

/** A rate limit. Providers also use its code for too many results, so the message decides. */
export function requestsPause({ code, message }: RpcError): boolean {
  return (
    code === TOO_MANY_REQUESTS || isRateLimit(message) || (code === LIMIT_EXCEEDED && !RANGE_TOO_LARGE.test(message))
  );
}

/** The node, or its provider's plan, does not support this method. */
export function isUnsupported({ code, message }: RpcError): boolean {
  return code === METHOD_NOT_FOUND || code === METHOD_NOT_SUPPORTED || UNSUPPORTED.test(message);
}

/** The node no longer has the state of that block, or does not have the block. */
export function isMissingState({ code, message }: RpcError): boolean {
  return code === RESOURCE_NOT_FOUND || MISSING_STATE.test(message);
}

/** The block does not exist; some nodes return an error instead of null. */
export function isAbsentBlock({ code, message }: RpcError): boolean {
  return code === UNKNOWN_BLOCK || ABSENT_BLOCK.test(message);
}

/** The query covers too many blocks or has too long a result; a smaller one may succeed. */
export function isRangeTooLarge(error: RpcError): boolean {
  if (error.code === CONTENT_TOO_LARGE) return true;
  return !requestsPause(error) && !ABOVE_TIP.test(error.message) && RANGE_TOO_LARGE.test(error.message);
}

/** The node has pruned the blocks themselves. */
export function isHistoryPruned({ code, message }: RpcError): boolean {
  return code === HISTORY_EXPIRED || HISTORY_PRUNED.test(message);
}

/** The call reverted or ran out of gas; another call may succeed. */
export function isFailedCall({ code, message }: RpcError): boolean {
  return code === EXECUTION_REVERTED || REVERTED.test(message) || GAS.test(message);
}

/** The error if a node returned it, else null. */
export function asRpcError(error: unknown): RpcError | null {
  return error instanceof RpcError ? error : null;
}

/** Pause before the next request to a node that rate limited us. */
const PAUSE_MS = 5_000;

/** Maps an `RpcError` to a `RetryableError` or `TerminalError`; returns other errors unchanged. */
export function failureOf(safeUrl: string, error: unknown): unknown {
  const rpcError = asRpcError(error);
  if (rpcError === null) return error;
  const message = `${safeUrl} returned ${rpcError.message}`;
  if (isHistoryPruned(rpcError)) {
    return new TerminalError(
      'NODE_PRUNED',
      `${message}: it has dropped blocks that were not polled yet. Use a node that keeps its whole history`,
      { cause: error },
    );
  }
  if (requestsPause(rpcError)) {
    return new RetryableError('NODE_UNREACHABLE', message, { cause: error, retryAfterMs: PAUSE_MS });
  }
  return new RetryableError('NODE_RESPONSE_UNUSABLE', message, { cause: error });
}

/** The response; null when the node has pruned what was requested. */
export async function unlessPruned<T>(response: Promise<T>): Promise<T | null> {
  return response.catch((error: unknown) => {
    // With several endpoints it is retryable, because another may have it.
    if (isFailure(error) && error.code === 'NODE_PRUNED') return null;
    throw error;
  });
}

/** Whether the class of an error says how to proceed; any other error is a bug. */
export function isFailure(error: unknown): error is RetryableError | TerminalError {
  return error instanceof RetryableError || error instanceof TerminalError;
}
