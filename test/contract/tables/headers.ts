import { ADDED_RESPONSE_HEADERS } from './additions.ts';

/** Headers of every response: the state of the per-minute window, and the id of the request. */
export const EVERY_RESPONSE: Readonly<Record<string, RegExp>> = {
  'X-RateLimit-Limit': /^\d+$/,
  'X-RateLimit-Remaining': /^\d+$/,
  'X-RateLimit-Reset': /^\d{10}$/,
  'X-Request-Id': /^\S+$/,
};

/** Value of Retry-After: whole seconds, at least one. */
export const RETRY_AFTER = /^[1-9]\d*$/;

/** On a create whose `X-Idempotency-Key` was used before; lower case, as received. */
export const REPLAYED = { 'x-idempotency-replayed': 'true' } as const;

/** GET /balances: RFC 9745, a structured-field date. */
export const DEPRECATION = /^@\d+$/;

/** Headers that HTTP itself needs. */
const HTTP_HEADERS = ['content-type', 'content-length', 'connection', 'date', 'location'];

/** Names, in lower case, that a response may have. */
export const KNOWN_RESPONSE_HEADERS = [
  ...[...Object.keys(EVERY_RESPONSE), 'Retry-After', ...Object.keys(ADDED_RESPONSE_HEADERS)].map((name) =>
    name.toLowerCase(),
  ),
  ...HTTP_HEADERS,
];
