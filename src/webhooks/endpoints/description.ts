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
    `description must have at most ${MAX_DESCRIPTION_CHARACTERS} characters and no control characters; shorten it`,
    { field: 'description' },
  );
}
