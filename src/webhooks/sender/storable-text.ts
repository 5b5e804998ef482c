/**
 * Makes text storable as Postgres `text` and `jsonb`: without NUL, which both reject, without lone
 * surrogates, which `jsonb` rejects, and at most `maxCharacters` (UTF-16 code units).
 */
export function storableText(text: string, maxCharacters: number): string {
  const withoutNul = text.replaceAll('\0', '').slice(0, maxCharacters);
  // The round trip through UTF-8 replaces lone surrogates, including one created by the cut.
  return Buffer.from(withoutNul, 'utf8').toString('utf8');
}
