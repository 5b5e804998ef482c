import { isRecord } from './answer.ts';
import { isRateLimit } from './rpc-refusals.ts';

/** What came over HTTP, before anything is known about its sense. */
export interface HttpAnswer {
  readonly status: number;
  /** Undefined when the body is not JSON. */
  readonly json: unknown;
  readonly bytes: number;
  /** Seconds; NaN when the node did not say. */
  readonly retryAfter: number;
}

/** One JSON-RPC answer; nodes forget the id when they cannot read the request. */
export interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export function isAnswer(value: unknown): value is Answer {
  return isRecord(value) && ('result' in value || isFault(value));
}

/** An error that may belong to the request as a whole, since no id says otherwise. */
export function isFault(value: unknown): boolean {
  return isRecord(value) && value.error !== undefined && value.error !== null;
}

/** A single error instead of a list, or a plain HTTP refusal of such a request; not one that asks for a pause. */
export function isRefusedBatch({ status, json }: HttpAnswer): boolean {
  if (!isFault(json)) return status >= 400 && status < 500;
  const error = isRecord(json) ? json.error : null;
  return !isRateLimit(isRecord(error) ? String(error.message) : String(error));
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An HTML error page, or nothing. The caller says so.
    return undefined;
  }
}
