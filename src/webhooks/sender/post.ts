import { type Dispatcher, request } from 'undici';
import type { Clock } from '../../platform/clock.ts';
import { parseRetryAfter } from '../../platform/retry-after.ts';
import { classifyError, classifyStatus, type PostResult, tooSlow } from './classify.ts';
import { type ResponseBody, readResponse } from './read-response.ts';
import type { RequestTrace, RequestTracer } from './request-tracer.ts';
import { loggableHeaders } from './storable-text.ts';

export interface PostDeps {
  readonly dispatcher: Dispatcher;
  /** The tracer that the dispatcher's connector reads the current trace from. */
  readonly tracer: Pick<RequestTracer, 'run'>;
  readonly clock: Clock;
  /** From the DNS query to the end of the response, in ms. */
  readonly timeoutMs: number;
  /** Aborts every running POST. */
  readonly closing: AbortSignal;
}

export interface PostRequest {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** What was sent and received, safe to show. Times in ms, null for skipped steps. */
export interface Exchange {
  /** As sent, with secrets redacted. Null when no request was sent. */
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  /** First part of the response body. Untrusted input. */
  readonly responseBody: string | null;
  readonly isResponseCut: boolean;
  readonly peerAddress: string | null;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the request headers sent to the response headers received. */
  readonly firstByteMs: number | null;
}

export interface PostedWebhook {
  readonly result: PostResult;
  readonly exchange: Exchange;
}

/**
 * Sends one webhook. Never rejects because of the network or the receiver; rejects when `closing`
 * fires.
 */
export async function post(deps: PostDeps, message: PostRequest): Promise<PostedWebhook> {
  const { tracer, timeoutMs, closing } = deps;
  closing.throwIfAborted();
  const deadline = new AbortController();
  let current: RequestTrace | undefined;
  const end = () => deadline.abort(new Error('the deadline of the attempt'));
  const timer = setTimeout(() => {
    // A process that stalled finds the timer due before it reads its sockets, where the response
    // may be waiting.
    if (typeof current?.sentAt === 'number') setImmediate(end);
    else end();
  }, timeoutMs);
  const close = () => deadline.abort(closing.reason);
  closing.addEventListener('abort', close, { once: true });
  try {
    return await tracer.run(deadline.signal, (trace) => {
      current = trace;
      return exchangeOnce(deps, message, trace, deadline.signal);
    });
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', close);
  }
}

// Helpers

async function exchangeOnce(
  { dispatcher, clock, timeoutMs, closing }: PostDeps,
  { url, headers, body }: PostRequest,
  trace: RequestTrace,
  deadline: AbortSignal,
): Promise<PostedWebhook> {
  const contentLength = String(Buffer.byteLength(body));
  try {
    const response = await request(url, { dispatcher, method: 'POST', headers, body, signal: deadline });
    const firstByteMs = trace.sentAt === null ? null : Math.round(performance.now() - trace.sentAt);
    const result = classifyStatus(response.statusCode, parseRetryAfter(fieldOf(response, 'retry-after'), clock.now()));
    const contentType = fieldOf(response, 'content-type');
    const contentEncoding = fieldOf(response, 'content-encoding');
    const received = await readResponse(response.body, { contentType, contentEncoding });
    return { result, exchange: exchangeOf(trace, { contentLength, firstByteMs, response, received }) };
  } catch (error) {
    closing.throwIfAborted();
    const result = deadline.aborted ? tooSlow(timeoutMs, stageOf(trace)) : classifyError(error);
    return { result, exchange: exchangeOf(trace, { contentLength }) };
  }
}

/** What a request without a response was waiting for. */
function stageOf({ sentAt, connection: { stage } }: RequestTrace): 'connect' | 'dns' | 'tls' | 'response' {
  if (sentAt !== null || stage === 'open') return 'response';
  return stage === 'waiting' ? 'connect' : stage;
}

interface Seen {
  readonly contentLength: string;
  readonly firstByteMs?: number | null;
  readonly response?: Dispatcher.ResponseData;
  readonly received?: ResponseBody;
}

function exchangeOf(trace: RequestTrace, { contentLength, firstByteMs = null, response, received }: Seen): Exchange {
  const { connection, requestHeaders, isReused } = trace;
  const made = isReused ? { dnsMs: null, connectMs: null, tlsMs: null } : connection;
  return {
    // undici adds this header after publishing the others.
    requestHeaders:
      requestHeaders === null ? null : loggableHeaders([...requestHeaders, ['content-length', contentLength]]),
    responseHeaders: response === undefined ? null : loggableHeaders(fieldsOf(response)),
    responseBody: received?.text ?? null,
    isResponseCut: received?.isCut ?? false,
    peerAddress: trace.peerAddress ?? connection.peerAddress,
    dnsMs: made.dnsMs,
    connectMs: made.connectMs,
    tlsMs: made.tlsMs,
    firstByteMs,
  };
}

function* fieldsOf({ headers }: Dispatcher.ResponseData): Generator<[string, string]> {
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values ?? []].flat()) yield [name, value];
  }
}

function fieldOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
