/**
 * Makes text storable as Postgres `text` and `jsonb`: without NUL, which both reject, without lone
 * surrogates, which `jsonb` rejects, and at most `maxCharacters` (UTF-16 code units).
 */
export function storableText(text: string, maxCharacters: number): string {
  const withoutNul = text.replaceAll('\0', '').slice(0, maxCharacters);
  // The round trip through UTF-8 replaces lone surrogates, including one created by the cut.
  return Buffer.from(withoutNul, 'utf8').toString('utf8');
}

/** Limits of what is stored: header fields per message, characters per name and per value. */
const MAX_FIELDS = 64;
const MAX_NAME_CHARACTERS = 128;
const MAX_VALUE_CHARACTERS = 1_024;
const HIDDEN = '[redacted]';

/** Fields that carry credentials, and names that suggest it. */
const SECRET_NAME =
  /^(?:set-)?cookie2?$|^(?:proxy-)?(?:authorization|authentication-info)$|^proxy-|^www-authenticate$|token|secret|password|credential|session|csrf|api-?key/;

/**
 * Header fields as the log stores them: lower-case names, repeated fields joined by a comma (RFC
 * 9110 section 5.3), credentials redacted, the first 64 fields with 1,024 characters each.
 */
export function loggableHeaders(fields: Iterable<readonly [string, string]>): Record<string, string> {
  const kept = new Map<string, string>();
  for (const [rawName, rawValue] of fields) {
    const name = storableText(rawName.toLowerCase(), MAX_NAME_CHARACTERS);
    const before = kept.get(name);
    if (before === undefined && kept.size >= MAX_FIELDS) continue;
    const value = before === undefined ? rawValue : `${before}, ${rawValue}`;
    kept.set(name, SECRET_NAME.test(name) ? HIDDEN : storableText(value, MAX_VALUE_CHARACTERS));
  }
  return Object.fromEntries(kept);
}
