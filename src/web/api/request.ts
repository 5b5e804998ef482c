import { isRecord } from '../../platform/is-record.ts';
import { requestPassword } from '../state/reauthentication.ts';

/**
 * A custom header on every request: forms of other sites cannot set it, and scripts would need a
 * CORS preflight.
 */
export const CONSOLE_HEADERS = { 'x-quittance-console': '1' } as const;
export const API = '/console/api';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A request body with plain text for choices, as form fields give it; the server checks it. */
export type AsText<T, Names extends keyof T> = Omit<T, Names> & {
  readonly [Name in Names]: T[Name] extends readonly string[] ? readonly string[] : string;
};

/** A failed request, with what the page shows about it. */
export class RequestFailure extends Error {
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  /** Error code like `WRONG_CODE`. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'RequestFailure';
    this.status = status;
    this.code = code;
  }

  /** A retry may succeed without any change by the user. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

/**
 * Sends a request to the console API. Returns the `data` of the response; rejects with
 * RequestFailure otherwise. When the server requires the password again, a dialog asks for it and
 * the request is repeated, until the user cancels.
 */
export async function request<T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await send<T>(method, path, body, signal);
    } catch (error) {
      const isReauth = error instanceof RequestFailure && error.code === 'REAUTH_REQUIRED';
      if (!isReauth || !(await requestPassword())) throw error;
    }
  }
}

/** The same for a text response. */
export async function requestText(path: string): Promise<string> {
  const response = await fetch(`${API}${path}`, { credentials: 'same-origin', headers: CONSOLE_HEADERS }).catch(() => {
    throw new RequestFailure(0, 'UNREACHABLE', 'The server does not respond. Check your connection.');
  });
  if (response.ok) return response.text();
  throw failureOf(response.status, await response.json().catch(() => null));
}

/** Converts an error response to a RequestFailure. */
export function failureOf(status: number, body: unknown): RequestFailure {
  const { error, message } = isRecord(body) ? body : {};
  return new RequestFailure(
    status,
    typeof error === 'string' ? error : `HTTP_${status}`,
    typeof message === 'string' ? message : (SAYINGS[status] ?? `The server responded with status ${status}.`),
  );
}

// Helpers

async function send<T>(method: Method, path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const hasBody = body !== undefined;
  const response = await fetch(`${API}${path}`, {
    method,
    credentials: 'same-origin',
    headers: hasBody ? { ...CONSOLE_HEADERS, 'content-type': 'application/json' } : CONSOLE_HEADERS,
    body: hasBody ? JSON.stringify(body) : null,
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new RequestFailure(0, 'UNREACHABLE', 'The server does not respond. Check your connection.');
  });
  if (response.status === 204) return undefined as T;
  const received: unknown = await response.json().catch(() => null);
  if (response.ok && isRecord(received) && 'data' in received) return received.data as T;
  throw failureOf(response.status, received);
}

const SAYINGS: Readonly<Record<number, string>> = {
  403: 'Your role does not allow this. Ask an owner or operator.',
  404: 'This no longer exists.',
  409: 'Another user changed this first. Reload, then try again.',
  429: 'Too many attempts. Wait a minute, then try again.',
  500: 'The server failed. Try again; its log has the cause.',
  503: 'The server is not ready yet. This page retries automatically.',
};
