import { messageOf } from '../errors.ts';
import type { ActorEvent } from './types.ts';

/**
 * Returns the JSON text of a value to be stored. Throws `TypeError` for a value that is not JSON,
 * and for NUL and lone surrogates: a `json` column would keep their escapes, but no text in
 * Postgres can hold them, so later readers would fail.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (withoutUnstorable(text) !== text) throw new TypeError('the value holds NUL or half a surrogate pair');
  return text;
}

/**
 * Returns the closest event that Postgres can store. It rejects NUL and lone surrogates, and not
 * every value is JSON. For failed events only: replayed events must be stored unchanged.
 */
export function storable(event: ActorEvent): ActorEvent {
  try {
    return JSON.parse(storableJson(event)) as ActorEvent;
  } catch (error) {
    return { type: replaceNul(event.type), notJson: messageOf(error) };
  }
}

/**
 * Returns JSON text without the escapes that Postgres rejects. Throws `TypeError` for values JSON
 * cannot represent.
 */
export function storableJson(value: unknown): string {
  return withoutUnstorable(JSON.stringify(value ?? null));
}

/** Replaces NUL, which Postgres `text` rejects. */
export function replaceNul(text: string): string {
  return text.replaceAll('\u0000', '\ufffd');
}

// Helpers

/**
 * JSON.stringify leaves surrogate pairs unescaped, so every escaped surrogate is a lone one. All
 * escapes are matched, so that a backslash that is itself escaped begins none.
 */
function withoutUnstorable(json: string): string {
  if (!json.includes('\\u')) return json;
  return json.replace(/\\(?:u(0000|d[89a-f][0-9a-f]{2})|.)/g, (escape, code) =>
    code === undefined ? escape : '\\ufffd',
  );
}
