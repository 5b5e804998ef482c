import { Pool } from 'undici';
import { messageOf, RetryableError } from '../../platform/errors.ts';

/** Where requests go, and how its failures are shown. */
export interface RpcEndpoint {
  readonly origin: string;
  /** Path and query, as sent. */
  readonly path: string;
  /** For messages: without anything secret. */
  readonly safeUrl: string;
  /** Value of the `authorization` header; null without user and password. */
  readonly authorization: string | null;
  /** Removes what may be secret from the text of an error. */
  redact?(text: string): string;
}

export interface HttpReply {
  readonly status: number;
  readonly text: string;
  /** Seconds; NaN when the header is missing. */
  readonly retryAfter: number;
}

export interface JsonPoster {
  /** Throws `RetryableError` `NODE_UNREACHABLE`. */
  post(body: unknown, timeoutMs: number): Promise<HttpReply>;
  close(): Promise<void>;
}

/** Requests of one endpoint at a time. */
export const CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 10_000;

/** Posts JSON to one endpoint and reads its responses of up to `maxBytes` whole. */
export function createJsonPoster(endpoint: RpcEndpoint, { maxBytes }: { readonly maxBytes: number }): JsonPoster {
  const { origin, path, safeUrl, authorization, redact = (text) => text } = endpoint;
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    maxResponseSize: maxBytes,
  });
  return {
    async post(body, timeoutMs) {
      try {
        const response = await pool.request({
          method: 'POST',
          path,
          headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(timeoutMs),
        });
        const text = await response.body.text();
        return { status: response.statusCode, text, retryAfter: Number(response.headers['retry-after']) };
      } catch (error) {
        const reason = redact(reasonOf(error, timeoutMs));
        throw new RetryableError('NODE_UNREACHABLE', `${safeUrl} does not respond: ${reason}`, { cause: error });
      }
    },
    close: () => pool.destroy(),
  };
}

/** The value of `authorization` for basic authentication; null without user and password. */
export function basicAuthorization(user: string, password: string): string | null {
  return user === '' && password === '' ? null : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Undefined when the text is not JSON, such as an error page; the caller reports it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Helpers

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no response within ${timeoutMs} ms`;
  const code = error instanceof Error && 'code' in error ? `${String(error.code)} ` : '';
  return `${code}${messageOf(error)}`.trim();
}
