import { DATABASE_UNAVAILABLE, RetryableError } from '../platform/errors.ts';

/**
 * A verification polled successfully but could not read where its outputs are. One output may be
 * the cause, if the node cannot return its block or transaction, so retry without it. Any other
 * error would fail every verification.
 */
export class UnreadableOutputsError extends RetryableError {
  constructor({ code, message, retryAfterMs }: RetryableError, options: { readonly cause?: unknown } = {}) {
    super(code, message, { ...options, retryAfterMs });
  }
}

/** Runs `read`; rethrows a `RetryableError` of the node as an `UnreadableOutputsError`. */
export async function whileOutputsAreReadable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isOfNode = error instanceof RetryableError && error.code !== DATABASE_UNAVAILABLE;
    if (isOfNode) throw new UnreadableOutputsError(error, { cause: error });
    throw error;
  }
}
