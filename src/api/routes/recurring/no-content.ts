import { TerminalError } from '../../../errors.ts';

/**
 * For requests without a body: absent and `{}` are equivalent. Throws
 * `INVALID_REQUEST`, naming the first field.
 */
export function refuseContent(body: unknown): void {
  if (body === undefined) return;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new TerminalError('INVALID_REQUEST', 'The body must be absent, or an empty JSON object.');
  }
  const [field] = Object.keys(body);
  if (field === undefined) return;
  const named = field.slice(0, MAX_FIELD_CHARACTERS).replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
  throw new TerminalError('INVALID_REQUEST', `${named} is not a field of this request`, { field: named });
}

// Helpers

/** Names come from the client. */
const MAX_FIELD_CHARACTERS = 100;
