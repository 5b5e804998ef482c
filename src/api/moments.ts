import type { UnixMs } from '../../machines/index.ts';
import { TerminalError } from '../errors.ts';

/**
 * The moment a parameter names, which has the form of `MOMENT_PATTERN`; a day is its first moment in UTC. Throws
 * `INVALID_REQUEST` for one the calendar does not have.
 */
export function momentOf(text: string, field: string): UnixMs {
  const at = Date.parse(text);
  const day = text.slice(0, DAY_CHARACTERS);
  // Date.parse takes the 31st of every month and moves it on.
  const exists = !Number.isNaN(at) && new Date(day).toISOString().startsWith(day);
  if (exists) return at;
  throw new TerminalError('INVALID_REQUEST', `${field} names a moment that does not exist`, { field });
}

// Helpers

const DAY_CHARACTERS = 'YYYY-MM-DD'.length;
