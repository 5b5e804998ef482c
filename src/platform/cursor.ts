import { invalidCursor } from './errors.ts';
import { isStorable } from './text.ts';

/** A position in a list that is sorted by a time and an id. */
export interface ListPosition {
  /** Microseconds since 1970, as text: stored times are finer than milliseconds. */
  readonly us: string;
  readonly id: string;
}

/** A position in a list as an opaque cursor. */
export function writeCursor({ us, id }: ListPosition): string {
  return Buffer.from(JSON.stringify([us, id])).toString('base64url');
}

/** The position of a cursor. Throws a `TerminalError` `INVALID_CURSOR` for an unknown one. */
export function readCursor(cursor: string): ListPosition {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(read) && isMicroseconds(read[0]) && isStorableId(read[1])) {
      return { us: read[0], id: read[1] };
    }
  } catch {
    // Reported below, like any other invalid cursor.
  }
  throw invalidCursor();
}

// Helpers

const MAX_ID_CHARACTERS = 100;

/** Since 1970, up to 18 digits: the latest time the database can store (year 294276) has 19. */
function isMicroseconds(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,18}$/.test(value);
}

function isStorableId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ID_CHARACTERS && isStorable(value);
}
