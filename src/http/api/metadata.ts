import { TerminalError } from '../../platform/errors.ts';
import { isStorable } from '../../platform/text.ts';

export type Metadata = Readonly<Record<string, unknown>>;

export const MAX_METADATA_KEYS = 20;
/** Unicode code points, for strings at any depth. */
export const MAX_METADATA_STRING_CHARACTERS = 500;
/** Counted in the JSON text in UTF-8, without whitespace. */
export const MAX_METADATA_BYTES = 4_096;

/**
 * Checks the limits of metadata, which is otherwise free-form. Throws `INVALID_METADATA`, also
 * for what JSON can express but cannot be stored and returned: a number outside the range of a
 * double, NUL, a lone surrogate.
 */
export function checkMetadata(metadata: Metadata): Metadata {
  const keys = Object.keys(metadata).length;
  if (keys > MAX_METADATA_KEYS) throw rejected(`may have at most ${MAX_METADATA_KEYS} keys, got ${keys}`);
  let nodes = 0;
  // Not recursive: a megabyte of brackets would overflow the stack.
  for (const waiting: unknown[] = [metadata]; waiting.length > 0; ) {
    nodes += 1;
    // Each value is at least one byte, so more nodes than this cannot fit.
    if (nodes > MAX_METADATA_BYTES) throw tooLarge();
    const value = waiting.pop();
    if (typeof value === 'string') checkString(value);
    else if (typeof value === 'number') checkNumber(value);
    else if (Array.isArray(value)) for (const element of value) waiting.push(element);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, element] of Object.entries(value)) {
        checkText(key);
        waiting.push(element);
      }
    }
  }
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) throw tooLarge();
  return metadata;
}

// Helpers

/** One code point in two UTF-16 units. */
const SURROGATE_PAIR = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

function checkString(value: string): void {
  // There are at least as many UTF-16 units as code points, so short strings need no counting.
  if (value.length > MAX_METADATA_STRING_CHARACTERS && countCharacters(value) > MAX_METADATA_STRING_CHARACTERS) {
    throw rejected(`may have strings of at most ${MAX_METADATA_STRING_CHARACTERS} characters`);
  }
  checkText(value);
}

function countCharacters(text: string): number {
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0);
}

function checkText(text: string): void {
  if (!isStorable(text)) {
    throw rejected('must not contain the character U+0000 or half of a surrogate pair');
  }
}

function checkNumber(value: number): void {
  if (!Number.isFinite(value)) throw rejected('must not contain numbers beyond the range of a double');
}

function tooLarge(): TerminalError {
  return rejected(`may have at most ${MAX_METADATA_BYTES} bytes as JSON`);
}

function rejected(reason: string): TerminalError {
  return new TerminalError('INVALID_METADATA', `metadata ${reason}`);
}
