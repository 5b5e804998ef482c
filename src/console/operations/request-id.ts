import { TerminalError } from '../../errors.ts';
import type { FieldReader } from '../reading.ts';

/** Reads an idempotency key. */
export const requestId: FieldReader<string> = (value, name) => {
  if (typeof value === 'string' && REQUEST_ID.test(value)) return value;
  const rule = 'must be a new text of 8 to 100 letters, digits, - and _, made for this request';
  throw new TerminalError('INVALID_REQUEST', `${name} ${rule}`, { field: name });
};

// Helpers

const REQUEST_ID = /^[A-Za-z0-9_-]{8,100}$/;
