/**
 * The class of an error says what happens next, its code what went wrong. `RetryableError`:
 * temporary, so retry. `TerminalError`: permanent. Anything else is a bug: retried a bounded number
 * of times with an alert.
 */

/** The operation cannot succeed now but may later; nothing was changed. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError';
  readonly code: string;
  readonly retryAfterMs: number;
  /** The part of the request it is about, when the code alone does not identify it. */
  readonly field: string | null;

  constructor(
    code: string,
    message: string,
    options: { retryAfterMs?: number; cause?: unknown; field?: string | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? 1_000;
    this.field = options.field ?? null;
  }
}

/** The operation can never succeed as asked; retrying is pointless. */
export class TerminalError extends Error {
  override readonly name: string = 'TerminalError';
  readonly code: string;
  /** The part of the request it is about, when the code alone does not identify it. */
  readonly field: string | null;

  constructor(code: string, message: string, options: { cause?: unknown; field?: string } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.field = options.field ?? null;
  }
}

/** The error for a `cursor` that no page returned. */
export function invalidCursor(): TerminalError {
  const message = 'cursor is invalid. Use the cursor of the previous page, or omit it.';
  return new TerminalError('INVALID_CURSOR', message, { field: 'cursor' });
}

/** Ends an exhaustive `switch` over a union: a member without a case does not compile. */
export function assertNever(value: never, what = 'value'): never {
  throw new Error(`Unhandled ${what}: ${JSON.stringify(value)}`);
}

/** The code of the error for a database that cannot be reached or fails in passing. */
export const DATABASE_UNAVAILABLE = 'DATABASE_UNAVAILABLE';

/**
 * The message of any thrown value, for logs and operators; for an unreachable database with what
 * the server said, which callers of the API do not get.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A connection refused at every address of a name has no message of its own.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  const isOutage = error instanceof RetryableError && error.code === DATABASE_UNAVAILABLE;
  return isOutage && error.cause !== undefined ? `${error.message} (${messageOf(error.cause)})` : error.message;
}
