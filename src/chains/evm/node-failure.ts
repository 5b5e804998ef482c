import { RetryableError, TerminalError } from '../../errors.ts';
import { asksForPause, asRpcError, isHistoryPruned } from './rpc-refusals.ts';

/** How long a node is left alone that asks for fewer requests. */
const PAUSE_MS = 5_000;

/** Errors a node answered with, in the words of the interface; all others as they are. */
export function failureOf(safeUrl: string, error: unknown): unknown {
  const rpcError = asRpcError(error);
  if (rpcError === null) return error;
  const message = `${safeUrl} answered ${rpcError.message}`;
  if (isHistoryPruned(rpcError)) {
    return new TerminalError(
      'NODE_PRUNED',
      `${message}: it has dropped blocks that were not looked at yet. Use a node that keeps its whole history`,
      { cause: error },
    );
  }
  if (asksForPause(rpcError)) {
    return new RetryableError('NODE_UNREACHABLE', message, { cause: error, retryAfterMs: PAUSE_MS });
  }
  return new RetryableError('NODE_ANSWER_UNUSABLE', message, { cause: error });
}

/** Whether this says by its class what happens next; anything else is a mistake of ours. */
export function isFailure(error: unknown): error is RetryableError | TerminalError {
  return error instanceof RetryableError || error instanceof TerminalError;
}
