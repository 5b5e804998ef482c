import { TerminalError } from '../../../errors.ts';
import { type FieldReader, textUpTo } from '../../reading.ts';

/** RFC 5321 allows 254 characters for an address. */
const MAX_EMAIL_CHARACTERS = 254;
const MAX_URL_CHARACTERS = 2_048;

/** A single line of text that is not blank. */
export function lineUpTo(maxCharacters: number): FieldReader<string> {
  const read = textUpTo(maxCharacters);
  return (value, name) => {
    const text = read(value, name);
    if (text.trim() !== '' && !CONTROL.test(text)) return text;
    throw wrong(name, 'must be one line of text without control characters, and not blank');
  };
}

/** An e-mail address in its usual form. */
export const emailAddress: FieldReader<string> = (value, name) => {
  const text = textUpTo(MAX_EMAIL_CHARACTERS)(value, name);
  if (ADDRESS.test(text)) return text;
  throw wrong(name, 'must be an e-mail address like name@shop.example');
};

/** A URL that a browser can open without running code (http or https). */
export const webAddress: FieldReader<string> = (value, name) => {
  const text = textUpTo(MAX_URL_CHARACTERS)(value, name);
  if (URL.canParse(text) && WEB.includes(new URL(text).protocol)) return text;
  throw wrong(name, 'must be an https:// or http:// address');
};

/**
 * Rejects text that cannot be an id before it reaches the database. Throws `SCHEDULE_NOT_FOUND`.
 */
export const scheduleId: FieldReader<string> = (value) => {
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase();
  throw new TerminalError('SCHEDULE_NOT_FOUND', 'No recurring payment request has this id');
};

// Helpers

const CONTROL = /[\p{Cc}\p{Cs}]/u;
const WEB: readonly string[] = ['https:', 'http:'];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;

function wrong(name: string, problem: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${name} ${problem}`, { field: name });
}
