/**
 * The text as Postgres takes it in `text` and `jsonb` alike: without NUL, which neither can hold, without halves of
 * surrogate pairs, which `jsonb` refuses, and no longer than `maxCharacters` (UTF-16 code units).
 */
export function storableText(text: string, maxCharacters: number): string {
  const withoutNul = text.replaceAll('\0', '').slice(0, maxCharacters);
  // Going through UTF-8 replaces halves of pairs, also one that the cut has made.
  return Buffer.from(withoutNul, 'utf8').toString('utf8');
}
