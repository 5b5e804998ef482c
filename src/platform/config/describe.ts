import { decodeOrKeep } from '../text.ts';
import type { Environment } from './setting-reader.ts';
import { ALL_SETTINGS } from './settings.ts';

const NAME_COLUMN = 24;
const TEXT_COLUMNS = 96;

/** All settings as terminal text: name and default on one line, the description below. */
export function describeSettings(): string {
  return ALL_SETTINGS.flatMap(({ name, fallback, description }) => [
    `  ${`${name} `.padEnd(NAME_COLUMN)}${fallback}`,
    ...wrap(description, TEXT_COLUMNS - NAME_COLUMN).map((line) => `  ${' '.repeat(NAME_COLUMN)}  ${line}`),
  ]).join('\n');
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Shorter texts are not real secrets, and redacting them would garble ordinary sentences. */
const MIN_CHARACTERS = 4;

/**
 * All texts to redact: values of secret settings, and the secret parts of URLs among them, both
 * encoded and decoded. Longest first, so that replacing one after another leaves no remainder.
 */
export function secretTextsOf(env: Environment): string[] {
  const values = ALL_SETTINGS.filter(({ isSecret }) => isSecret).flatMap(({ name }) => env[name]?.trim() || []);
  const texts = values.flatMap((value) => [value, ...partsOf(value)]);
  return [...new Set(texts)]
    .filter((text) => text.length >= MIN_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
}

// Helpers

/**
 * Passwords, and long path parts and queries of HTTP URLs, where providers put API keys. Outside
 * HTTP, a user name without a password is a token; other user names and database paths are not
 * secret.
 */
function partsOf(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { password, username, search, pathname, protocol } = new URL(value);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  const token = password === '' && !isHttp ? username : '';
  const keyed = isHttp ? [...pathname.split('/').filter((part) => part.length >= 16), search] : [];
  return [password, token, ...keyed].flatMap((part) => [part, decodeOrKeep(part)]).filter((part) => part !== '');
}
