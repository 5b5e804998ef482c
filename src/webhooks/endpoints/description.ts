import { TerminalError } from '../../errors.ts';

/** Longest description of an endpoint, in characters (code points). */
export const MAX_DESCRIPTION_CHARACTERS = 200;

/** Checks what a merchant calls an endpoint; may be empty. Throws a `TerminalError` `INVALID_REQUEST`. */
export function readDescription(text: string): string {
  const description = text.trim();
  if (Array.from(description).length <= MAX_DESCRIPTION_CHARACTERS && !UNPRINTABLE.test(description))
    return description;
  throw new TerminalError(
    'INVALID_REQUEST',
    `description must have at most ${MAX_DESCRIPTION_CHARACTERS} characters and no control characters; shorten it`,
    { field: 'description' },
  );
}

// Helpers

/** Control characters, and halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
