import type { Server } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND_MS } from '../../../machines/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { RetryableError, TerminalError } from '../../platform/errors.ts';
import { createThrottledErrorLog, type ThrottledErrorLog } from '../../platform/throttled-error-log.ts';

/** How a failed request is answered, whatever the body says. */
interface ErrorResponse {
  readonly status: number;
  /** Whole seconds for `Retry-After`; null when a retry will not help. */
  readonly retryAfter: number | null;
  /** The code in the log; that of the error when left out. */
  readonly code?: string;
}

/**
 * Begins the reply to a failed request: status and `Retry-After`; the caller sends the body. A
 * temporary failure is logged at debug level, and as an outage at most once per `QUIET_MS`; any
 * other status 500 is logged as an error with its cause.
 */
export function beginErrorReply(
  error: unknown,
  { status, retryAfter, code = codeOf(error) }: ErrorResponse,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): FastifyReply {
  // The pattern of the route, never the URL: it may contain a secret.
  const context = { err: error, code, method: request.method, route: request.routeOptions.url };
  if (error instanceof RetryableError && !NO_OUTAGES.has(error.code)) outagesOf(request).report(error);
  if (error instanceof RetryableError) {
    if (status >= 500) request.log.debug(context, 'a request could not be served now');
  } else if (status === 500) request.log.error(context, 'a request failed');
  if (retryAfter !== null) void reply.header('Retry-After', retryAfter);
  return reply.code(status);
}

/** What kind of failure an error is for a client. */
type ErrorClass =
  /** The same request may succeed later. */
  | {
      readonly kind: 'temporary';
      readonly error: RetryableError;
      readonly status: 429 | 503;
      readonly retryAfter: number;
    }
  /** Refused by a feature, with a code of the interface. */
  | { readonly kind: 'rejected'; readonly error: TerminalError }
  /** Rejected by Fastify itself with this 4xx status, for example because the body is too large. */
  | { readonly kind: 'unreadable'; readonly status: number }
  | { readonly kind: 'bug' };

export function classifyError(error: unknown): ErrorClass {
  if (error instanceof RetryableError) {
    const status = TOO_MANY.has(error.code) ? 429 : 503;
    return { kind: 'temporary', error, status, retryAfter: retryAfterOf(error) };
  }
  if (error instanceof TerminalError) return { kind: 'rejected', error };
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' && status >= 400 && status < 500 ? { kind: 'unreadable', status } : { kind: 'bug' };
}

/** Refused because of what this client or others have done, not because of an outage. */
const TOO_MANY: ReadonlySet<string> = new Set(['RATE_LIMIT_EXCEEDED', 'TOO_MANY_OPEN_PAYMENTS', 'JOURNAL_READER_BUSY']);

/** Whole seconds for `Retry-After`, at least 1. */
export function retryAfterOf({ retryAfterMs }: { readonly retryAfterMs: number }): number {
  return Math.max(1, Math.ceil(retryAfterMs / SECOND_MS));
}

/**
 * The log of outages, for failures that no error handler sees, such as those after the response has
 * begun. One per server, however many scopes with handlers of their own it has.
 */
export function outagesOf({ server: { server, log } }: FastifyRequest): ThrottledErrorLog {
  const known = outages.get(server) ?? createThrottledErrorLog({ log, clock: systemClock });
  outages.set(server, known);
  return known;
}

// Helpers

/** Errors that ask to try again later although nothing is out of order. */
const NO_OUTAGES: ReadonlySet<string> = new Set([...TOO_MANY, 'STARTING', 'TOO_MANY_LISTENERS']);

const outages = new WeakMap<Server, ThrottledErrorLog>();

function codeOf(error: unknown): string {
  return error instanceof RetryableError || error instanceof TerminalError ? error.code : 'INTERNAL_ERROR';
}
