import { RetryableError, TerminalError } from '../../../platform/errors.ts';
import { asRpcError, isHistoryPruned, requestsPause } from '../rpc/rpc-refusals.ts';

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

/** Whether the class of an error says how to proceed; any other error is a bug. */
export function isFailure(error: unknown): error is RetryableError | TerminalError {
  return error instanceof RetryableError || error instanceof TerminalError;
}
