import type { Server } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { systemClock } from '../clock.ts';
import { RetryableError, TerminalError } from '../errors.ts';
import { createThrottledErrorLog, type ThrottledErrorLog } from '../throttled-error-log.ts';

/** How a failed request is answered, whatever the body says. */
export interface ErrorAnswer {
  readonly status: number;
  /** Whole seconds for `Retry-After`; null when a retry will not help. */
  readonly retryAfter: number | null;
  /** The code in the log; that of the error when left out. */
  readonly code?: string;
}

/**
 * Begins the reply to a failed request: status and `Retry-After`; the caller sends the body. A
 * temporary failure is logged at debug level, and as an outage at most once per `QUIET_MS`; any
 * other server error is logged as an error with its cause.
 */
export function beginErrorReply(
  error: unknown,
  { status, retryAfter, code = codeOf(error) }: ErrorAnswer,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): FastifyReply {
  // The pattern of the route, never the URL: it may contain a secret.
  const context = { err: error, code, method: request.method, route: request.routeOptions.url };
  if (error instanceof RetryableError && !OF_THE_CLIENT.has(error.code)) outagesOf(request).report(error);
  if (status >= 500) {
    if (error instanceof RetryableError) request.log.debug(context, 'a request could not be served now');
    else request.log.error(context, 'a request failed');
  }
  if (retryAfter !== null) void reply.header('Retry-After', retryAfter);
  return reply.code(status);
}

// Helpers

/** Codes that say nothing about an outage: the start, and a client that asks too often. */
const OF_THE_CLIENT: ReadonlySet<string> = new Set(['STARTING', 'RATE_LIMIT_EXCEEDED']);

/** One per server, however many scopes with handlers of their own it has. */
const outages = new WeakMap<Server, ThrottledErrorLog>();

function outagesOf({ server: { server, log } }: FastifyRequest): ThrottledErrorLog {
  const known = outages.get(server) ?? createThrottledErrorLog({ log, clock: systemClock });
  outages.set(server, known);
  return known;
}

function codeOf(error: unknown): string {
  return error instanceof RetryableError || error instanceof TerminalError ? error.code : 'INTERNAL_ERROR';
}
