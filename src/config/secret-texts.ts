import type { Environment } from './setting-reader.ts';
import { ALL_SETTINGS } from './settings.ts';

/** Shorter texts are no secrets worth the name, and blotting them out would blot out half of a sentence. */
const MIN_CHARACTERS = 4;

/**
 * Every text of the settings that nobody may be shown: values of secret settings, and the parts of URLs among them, written as
 * they are and decoded. Longest first, so that replacing them one after the other leaves no rest.
 */
export function secretTextsOf(env: Environment): string[] {
  const values = ALL_SETTINGS.filter(({ isSecret }) => isSecret).flatMap(({ name }) => env[name]?.trim() || []);
  const texts = values.flatMap((value) => [value, ...partsOf(value)]);
  return [...new Set(texts)]
    .filter((text) => text.length >= MIN_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
}

// Helpers

/** Passwords, and what follows the host: providers put their keys there. The user's name and the path of a database are no secrets. */
function partsOf(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { password, username, search, pathname, protocol } = new URL(value);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  const token = password === '' && !isHttp ? username : '';
  const keyed = isHttp ? [...pathname.split('/').filter((part) => part.length >= 16), search] : [];
  return [password, token, ...keyed].flatMap((part) => [part, decoded(part)]).filter((part) => part !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
