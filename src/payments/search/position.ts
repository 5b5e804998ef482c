import { TerminalError } from '../../errors.ts';
import type { ListPosition } from '../list-conditions.ts';

/** A place of the list as text that callers hand back unread. */
export function writeCursor({ createdUs, id }: ListPosition): string {
  return Buffer.from(JSON.stringify([createdUs, id])).toString('base64url');
}

/** The place a cursor stands for. Throws a `TerminalError` `INVALID_CURSOR` for what no page has given. */
export function readCursor(cursor: string): ListPosition {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(read) && isMicroseconds(read[0]) && isStorableId(read[1])) {
      return { createdUs: read[0], id: read[1] };
    }
  } catch {
    // Told below, as every other cursor that is none of ours.
  }
  throw new TerminalError('INVALID_CURSOR', 'cursor is not one that a page has given; start again without', {
    field: 'cursor',
  });
}

// Helpers

const MAX_ID_CHARACTERS = 100;

/** Since 1970, and no later than the database can write: that is the year 294276, which has 19 digits. */
function isMicroseconds(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,18}$/.test(value);
}

function isStorableId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ID_CHARACTERS && !/[\p{Surrogate}\0]/u.test(value);
}
