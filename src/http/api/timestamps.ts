import type { UnixMs } from '../../../machines/index.ts';
import type { ClockMove } from '../../payments/index.ts';
import { TerminalError } from '../../platform/errors.ts';

/**
 * The time of a parameter that matches `MOMENT_PATTERN`; a date means its start in UTC. Throws
 * `INVALID_REQUEST` for a date that does not exist, and outside of the years 0000 to 9999 UTC,
 * which a response could not express: RFC 3339 has four-digit years.
 */
export function timestampOf(text: string, field: string): UnixMs {
  const at = Date.parse(text);
  const day = text.slice(0, DAY_CHARACTERS);
  // Date.parse accepts the 31st of every month and moves it to the next one.
  const exists = !Number.isNaN(at) && new Date(day).toISOString().startsWith(day);
  if (!exists) throw new TerminalError('INVALID_REQUEST', `${field} is not an existing date or time`, { field });
  if (at >= FIRST_MOMENT && at < END_OF_MOMENTS) return at;
  throw new TerminalError('INVALID_REQUEST', `${field} must be in the years 0000 to 9999 of UTC`, { field });
}

/**
 * The `seconds` and `to` of a simulation, as the features take them. Throws as `timestampOf` does.
 */
export function clockMoveOf({ seconds, to }: { readonly seconds?: number; readonly to?: string }): ClockMove {
  return {
    ...(seconds === undefined ? {} : { seconds }),
    ...(to === undefined ? {} : { to: timestampOf(to, 'to') }),
  };
}

// Helpers

const DAY_CHARACTERS = 'YYYY-MM-DD'.length;
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00Z');
const END_OF_MOMENTS = Date.parse('+010000-01-01T00:00:00Z');
