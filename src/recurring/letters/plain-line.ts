/**
 * What somebody else has written, as one line that can stand inside a sentence of ours: line breaks, tabs and other control
 * characters are blanks, and characters that turn the direction of what follows are left out, since they would turn our own
 * words too (Unicode Standard Annex 9). Longer texts are cut to `maxCharacters`.
 */
export function plainLine(text: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  const line = text.replace(TURNING, '').replace(BLANKS, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= maxCharacters) return line;
  return `${characters
    .slice(0, maxCharacters - 1)
    .join('')
    .trimEnd()}…`;
}

// Helpers

/** Embeddings, overrides and isolates. Marks of direction, which legible names may hold, turn nothing else. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const BLANKS = /[\s\p{Cc}]+/gu;
