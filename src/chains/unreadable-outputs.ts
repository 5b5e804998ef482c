import { RetryableError } from '../errors.ts';

/**
 * A verification looked, and could not read where its outputs are. That may be the fault of one of them, whose block or
 * transaction the node cannot hand out: ask again without it. Every other failure would befall any verification.
 */
export class UnreadableOutputsError extends RetryableError {
  constructor({ code, message, retryAfterMs }: RetryableError, options: { readonly cause: unknown }) {
    super(code, message, { ...options, retryAfterMs });
  }
}

/** Reads where outputs are; a node that does not answer properly becomes an `UnreadableOutputsError`. */
export async function whileOutputsAreReadable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RetryableError) throw new UnreadableOutputsError(error, { cause: error });
    throw error;
  }
}
