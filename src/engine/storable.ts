import { messageOf } from '../errors.ts';
import type { ActorEvent } from './types.ts';

/**
 * An event Postgres can store, as close to the given one as possible. `jsonb` takes neither NUL nor lone
 * surrogates, and not everything is JSON. Only for what is set aside: what is replayed must be stored as it is.
 */
export function storable(event: ActorEvent): ActorEvent {
  try {
    return JSON.parse(storableJson(event)) as ActorEvent;
  } catch (error) {
    return { type: storableText(event.type), notJson: messageOf(error) };
  }
}

/** JSON text without the escapes `jsonb` refuses. Throws `TypeError` for what JSON cannot hold. */
export function storableJson(value: unknown): string {
  // JSON.stringify writes paired surrogates as they are, so every escaped one is alone.
  return JSON.stringify(value ?? null).replace(/\\u(?:0000|d[89a-f][0-9a-f]{2})/gi, '\\ufffd');
}

/** A text without NUL. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\ufffd');
}
