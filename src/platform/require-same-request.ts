import { createHash } from 'node:crypto';
import { TerminalError } from './errors.ts';

/** SHA-256 of a request, in hex, with sorted keys: the order of its fields does not matter. */
export function requestHashOf(request: object): string {
  return createHash('sha256').update(JSON.stringify(request, sortedKeys)).digest('hex');
}

/**
 * Throws a `TerminalError` `IDEMPOTENCY_CONFLICT` unless an idempotency key is reused with the same
 * request. `thing` is what the request creates.
 */
export function requireSameRequest(earlierHash: string | null, requestHash: string, thing: string): void {
  if (earlierHash === requestHash) return;
  throw new TerminalError(
    'IDEMPOTENCY_CONFLICT',
    `X-Idempotency-Key was used before with a different request; use a new key for a new ${thing}`,
  );
}

// Helpers

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
