import { messageOf } from '../errors.ts';
import type { ActorEvent } from './types.ts';

/**
 * Returns the closest event that Postgres can store. `jsonb` rejects NUL and lone surrogates, and
 * not every value is JSON. For failed events only: replayed events must be stored unchanged.
 */
export function storable(event: ActorEvent): ActorEvent {
  try {
    return JSON.parse(storableJson(event)) as ActorEvent;
  } catch (error) {
    return { type: storableText(event.type), notJson: messageOf(error) };
  }
}

/**
 * Returns JSON text without the escapes `jsonb` rejects. Throws `TypeError` for values JSON cannot
 * represent.
 */
export function storableJson(value: unknown): string {
  // JSON.stringify leaves surrogate pairs unescaped, so every escaped surrogate is a lone one.
  return JSON.stringify(value ?? null).replace(/\\u(?:0000|d[89a-f][0-9a-f]{2})/gi, '\\ufffd');
}

/** Returns the text with NUL replaced. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\ufffd');
}
