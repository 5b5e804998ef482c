/**
 * Text from outside as a single line that is safe inside our own sentences: line breaks, tabs and
 * other control characters become spaces; characters that change the text direction are removed,
 * since they would affect our own words too (Unicode Standard Annex 9). Longer texts are cut to
 * `maxCharacters`.
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

/**
 * Embeddings, overrides and isolates. Direction marks, which legitimate names may contain, affect
 * no other text.
 */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const BLANKS = /[\s\p{Cc}]+/gu;
