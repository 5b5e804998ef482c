import { SECOND_MS } from '../../machines/index.ts';
import { RetryableError, TerminalError } from '../errors.ts';

/** What kind of failure an error is for a client. */
export type ErrorClass =
  /** The same request may succeed later. */
  | { readonly kind: 'temporary'; readonly status: 429 | 503; readonly retryAfter: number }
  /** Refused by a feature, with a code of the interface. */
  | { readonly kind: 'refused'; readonly error: TerminalError }
  /** Rejected by Fastify itself with this 4xx status, for example because the body is too large. */
  | { readonly kind: 'unreadable'; readonly status: number }
  | { readonly kind: 'bug' };

export function classifyError(error: unknown): ErrorClass {
  if (error instanceof RetryableError) {
    const status = TOO_MANY.has(error.code) ? 429 : 503;
    return { kind: 'temporary', status, retryAfter: retryAfterOf(error) };
  }
  if (error instanceof TerminalError) return { kind: 'refused', error };
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' && status >= 400 && status < 500 ? { kind: 'unreadable', status } : { kind: 'bug' };
}

/** Refused because of what this client or others have done, not because of an outage. */
const TOO_MANY: ReadonlySet<string> = new Set(['RATE_LIMIT_EXCEEDED', 'TOO_MANY_OPEN_PAYMENTS']);

/** Whole seconds for `Retry-After`, at least 1. */
export function retryAfterOf({ retryAfterMs }: { readonly retryAfterMs: number }): number {
  return Math.max(1, Math.ceil(retryAfterMs / SECOND_MS));
}
