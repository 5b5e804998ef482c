import { TerminalError } from '../../platform/errors.ts';
import { isPrintable } from '../../platform/text.ts';

/** Maximum length of an endpoint's description, in characters (code points). */
export const MAX_DESCRIPTION_CHARACTERS = 200;

/**
 * Validates the description of an endpoint and trims it; may be empty. Throws a `TerminalError`
 * `INVALID_REQUEST`.
 */
export function readDescription(text: string): string {
  const description = text.trim();
  if (Array.from(description).length <= MAX_DESCRIPTION_CHARACTERS && isPrintable(description)) return description;
  throw new TerminalError(
    'INVALID_REQUEST',
    `description must have at most ${MAX_DESCRIPTION_CHARACTERS} characters and no control characters`,
    { field: 'description' },
  );
}

/** Highest rate limit of an endpoint, in attempts per second. */
export const MAX_PER_SECOND = 1_000;

/** Validates a rate limit; null for none. Throws a `TerminalError` `INVALID_REQUEST`. */
export function readMaxPerSecond(limit: number | null): number | null {
  if (limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= MAX_PER_SECOND)) return limit;
  throw new TerminalError(
    'INVALID_REQUEST',
    `max_per_second must be a whole number from 1 to ${MAX_PER_SECOND}, or null for no limit.`,
    { field: 'max_per_second' },
  );
}
