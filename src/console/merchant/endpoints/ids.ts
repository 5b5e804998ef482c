import { readFields, textUpTo } from '../../reading.ts';

/** Longer texts are no ids. */
export const MAX_ID_CHARACTERS = 100;

/** The id in the path of a route, which may be any text. */
export function idIn(params: unknown): string {
  return readFields(params, { id: textUpTo(MAX_ID_CHARACTERS) }).id;
}
