import { Agent, type Dispatcher, request } from 'undici';
import { MINUTE_MS } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { messageOf, RetryableError } from '../../platform/errors.ts';
import { parseRetryAfter } from '../../platform/retry-after.ts';
import { VERSION } from '../../platform/version.ts';
import { createBackoff } from './backoff.ts';
import { RATE_SOURCE_LIMITED, rateLimited, stale, unreadable } from './failures.ts';
import type { SourceResponse } from './response.ts';

/** Dependencies of every HTTP source. */
export interface SourceDeps {
  readonly agent: Dispatcher;
  readonly clock: Clock;
}

/** HTTP client for one source, with a timeout, a size limit and backoff. */
export interface SourceClient {
  /**
   * Runs `work`, which sends one or more requests. Aborted by `signal` or the timeout. Sends
   * nothing while the source is in backoff after rate limiting. Throws `RetryableError`.
   */
  round<T>(signal: AbortSignal, work: (get: Get, signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Sends a GET request. Returns any status except rate limiting ones; does not follow redirects. */
export type Get = (url: string) => Promise<SourceResponse>;

export interface SourceLimits {
  /** The source's name, for messages. */
  readonly source: string;
  /** Timeout of one round, from the first DNS query to the last byte. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Maximum age of a response from an HTTP cache (`Age` header). */
  readonly maxCacheAgeMs?: number;
}

/** A cache that still serves while the origin is down must not keep old prices alive. */
const MAX_CACHE_AGE_MS = 2 * MINUTE_MS;

export function createSourceClient({ agent, clock }: SourceDeps, limits: SourceLimits): SourceClient {
  const { source, timeoutMs, maxBytes, maxCacheAgeMs = MAX_CACHE_AGE_MS } = limits;
  const backoff = createBackoff({ source, clock });

  async function get(url: string, signal: AbortSignal): Promise<SourceResponse> {
    signal.throwIfAborted();
    try {
      const response = await request(url, { dispatcher: agent, signal, headers: HEADERS });
      const [retryAfter, ageSeconds] = [headerOf(response, 'retry-after'), Number(headerOf(response, 'age') ?? 0)];
      if (requestsPause(response.statusCode, retryAfter)) {
        hangUp(response.body);
        throw rateLimited(source, parseRetryAfter(retryAfter, clock.now()));
      }
      // Read error bodies too: they may contain details, and the connection can then be reused.
      const bytes = await readUpTo(maxBytes, source, response.body);
      if (!(ageSeconds >= 0 && ageSeconds * 1_000 <= maxCacheAgeMs)) {
        throw stale(source, `a cached response, ${ageSeconds} s old`);
      }
      return { source, status: response.statusCode, text: decode(source, bytes) };
    } catch (error) {
      if (error instanceof RetryableError) throw error;
      // If the round was aborted, report the reason of the abort instead.
      signal.throwIfAborted();
      throw new RetryableError('RATE_SOURCE_UNREACHABLE', `${source} is unreachable: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  return {
    async round(signal, work) {
      backoff.requireRested();
      const round = new AbortController();
      const tooSlow = new RetryableError('RATE_SOURCE_TIMEOUT', `${source} did not respond within ${timeoutMs} ms`);
      const timer = setTimeout(() => round.abort(tooSlow), timeoutMs);
      const stop = () => round.abort(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      try {
        const result = await work((url) => get(url, round.signal), round.signal);
        backoff.served();
        return result;
      } catch (error) {
        if (isLimited(error)) backoff.rejected(error.retryAfterMs);
        throw error;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

export function isLimited(error: unknown): error is RetryableError {
  return error instanceof RetryableError && error.code === RATE_SOURCE_LIMITED;
}

/** HTTP agent for rate sources only. The caller must close it. */
export function createRatesAgent(): Agent {
  return new Agent({
    connections: CONNECTIONS_PER_SOURCE,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
}

// Helpers

/** No `accept-encoding`: responses are small, and decompression cannot exceed the size limit. */
const HEADERS = { accept: 'application/json, application/xml;q=0.9', 'user-agent': `quittance/${VERSION}` };

/** Binance uses 418 for bans. A 503 is an outage unless it has a `Retry-After`. */
function requestsPause(status: number, retryAfter: string | undefined): boolean {
  return status === 429 || status === 418 || (status === 503 && retryAfter !== undefined);
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

async function readUpTo(maxBytes: number, source: string, body: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    // Leaving the loop closes the connection, so the rest is not received.
    if (bytes > maxBytes) throw unreadable(source, `more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Discards the body: the status is enough, and an endless body must not delay it. */
function hangUp(body: Dispatcher.ResponseData['body']): void {
  // `destroy` emits an error on the stream, which has no other listener.
  body.on('error', () => undefined);
  body.destroy();
}

function decode(source: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(source, 'invalid UTF-8', error);
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? `${String(error.code)}: ` : '';
  return `${code}${messageOf(error)}`;
}

const CONNECT_TIMEOUT_MS = 3_000;

/** One request per source at a time, plus one in case the previous one hangs. */
const CONNECTIONS_PER_SOURCE = 2;

/** Sources are polled every minute; a connection idle that long would usually be dead. */
const KEEP_ALIVE_MS = 4_000;
