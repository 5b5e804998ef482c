import { RetryableError } from '../../../platform/errors.ts';
import { isRecord, type JsonRecord } from '../../../platform/is-record.ts';
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

/** A hexadecimal quantity, e.g. wei. Leading zeros, which some nodes add, are accepted. */
export function asQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw unusable(value, 'a quantity');
  return BigInt(value);
}

/** A quantity that must fit a safe integer: a height, an index, a nonce, a timestamp. */
export function asCount(value: unknown): number {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw unusable(value, 'a quantity');
  const count = Number(value);
  if (!Number.isSafeInteger(count)) throw unusable(value, 'a quantity below 2^53');
  return count;
}

/** 32 bytes, in lower case. */
export function asHash(value: unknown): string {
  if (typeof value !== 'string' || !HASH.test(value)) throw unusable(value, 'a hash');
  return value.toLowerCase();
}

/** 20 bytes, in lower case. */
export function asAddress(value: unknown): string {
  if (typeof value !== 'string' || !ADDRESS.test(value)) throw unusable(value, 'an address');
  return value.toLowerCase();
}

/** Any number of whole bytes, in lower case. */
export function asBytes(value: unknown): string {
  if (typeof value !== 'string' || !BYTES.test(value)) throw unusable(value, 'bytes');
  return value.toLowerCase();
}

export function asRecord(value: unknown): JsonRecord {
  if (!isRecord(value)) throw unusable(value, 'an object');
  return value;
}

export function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unusable(value, 'an array');
  return value;
}

/** The error for a response that is valid JSON with unexpected content. */
export function unusable(value: unknown, expected: string): RetryableError {
  const shown = JSON.stringify(value)?.slice(0, SHOWN_CHARACTERS) ?? 'nothing';
  return new RetryableError('NODE_RESPONSE_UNUSABLE', `the node's response has ${shown} instead of ${expected}`);
}

/** Encodes a height or another whole number as a JSON-RPC quantity. */
export function toQuantity(value: number): string {
  return `0x${value.toString(16)}`;
}

// Helpers

/**
 * Strict parsers of a node's JSON. A value that does not match Ethereum's JSON-RPC specification
 * throws `RetryableError` `NODE_RESPONSE_UNUSABLE`: another node, or this one later, may succeed.
 */

const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const BYTES = /^0x(?:[0-9a-f]{2})*$/i;
const SHOWN_CHARACTERS = 100;
