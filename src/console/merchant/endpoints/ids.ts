import { readFields, textUpTo } from '../../reading.ts';

/** Above the length of any id. */
export const MAX_ID_CHARACTERS = 100;

/** The id in a route's path, which may be any text. */
export function idIn(params: unknown): string {
  return readFields(params, { id: textUpTo(MAX_ID_CHARACTERS) }).id;
}
