import { ApiError, ConnectionError } from './errors.ts';
import type { ErrorEnvelope } from './operations.ts';

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string | null;
  readonly timeoutMs: number;
  /** Aborts the request; its reason is rethrown unchanged. */
  readonly signal: AbortSignal | null;
}

export type Fetch = typeof globalThis.fetch;

/**
 * Sends one request and returns the JSON of a 2xx response. Throws `ApiError` for every other
 * response, `ConnectionError` when there is none within the timeout, and the abort reason of
 * `signal`.
 */
export async function send(fetch: Fetch, outgoing: Outgoing): Promise<unknown> {
  const { status, headers, text } = await exchange(fetch, outgoing);
  const body = parse(text);
  if (status >= 200 && status < 300 && body !== undefined) return body;
  const problem = isErrorEnvelope(body) ? body : null;
  throw new ApiError({
    code: problem?.error ?? 'UNREADABLE_ANSWER',
    status,
    message: problem?.message ?? `The response with status ${status} is not from the service; check the base URL.`,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: secondsIn(headers.get('retry-after')),
    body: problem,
  });
}

// Helpers

interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function exchange(fetch: Fetch, { method, url, headers, body, timeoutMs, signal }: Outgoing): Promise<Exchange> {
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      signal: signal === null ? timeout : AbortSignal.any([signal, timeout]),
      // The service never redirects, and the API key must not be sent to another host.
      redirect: 'error',
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    if (timeout.aborted) throw new ConnectionError('TIMEOUT', `No response within ${timeoutMs} ms.`, { cause });
    throw new ConnectionError(
      'CONNECTION_FAILED',
      'The service could not be reached, or the connection was lost before the response was complete.',
      {
        cause,
      },
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports it by status.
    return undefined;
  }
}

function isErrorEnvelope(body: unknown): body is ErrorEnvelope {
  if (typeof body !== 'object' || body === null) return false;
  return 'error' in body && typeof body.error === 'string' && 'message' in body && typeof body.message === 'string';
}

/** Delay in seconds (RFC 9110). The service does not use the date form. */
function secondsIn(retryAfter: string | null): number | null {
  return retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null;
}
