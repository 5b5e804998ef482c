import { isRecord } from '../../../platform/is-record.ts';
import type { RpcResponse } from '../../rpc/rpc-call.ts';
import { isRateLimit } from './rpc-rejections.ts';

/** An HTTP response before its JSON is interpreted. */
export interface HttpResponse {
  readonly status: number;
  /** Undefined when the body is not JSON. */
  readonly json: unknown;
  readonly bytes: number;
  /** Seconds; NaN when the header is missing. */
  readonly retryAfter: number;
}

export function isResponse(value: unknown): value is RpcResponse {
  return isRecord(value) && ('result' in value || isFault(value));
}

/** An error response. Without an id it may concern the whole request. */
export function isFault(value: unknown): boolean {
  return isRecord(value) && value.error !== undefined && value.error !== null;
}

/** A single error instead of a list, or a 4xx response to a batch, but not a rate limit. */
export function isRejectedBatch({ status, json }: HttpResponse): boolean {
  if (!isFault(json)) return status >= 400 && status < 500;
  const error = isRecord(json) ? json.error : null;
  return !isRateLimit(isRecord(error) ? String(error.message) : String(error));
}
