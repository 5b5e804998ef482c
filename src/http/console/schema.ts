import { type Static, type TSchema, Type } from 'typebox';
import { isPrintable, isStorable } from '../../platform/text.ts';

/**
 * Building blocks for schemas of the console's requests: `validate` rejects a request with messages
 * derived from them. Types of responses are those of the features; pages import both from the
 * schemas.
 */

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** `maxItems` is for requests. */
export function list<T extends TSchema>(item: T, maxItems?: number) {
  return Type.Unsafe<readonly Static<T>[]>(Type.Array(item, maxItems === undefined ? {} : { maxItems }));
}

export function oneOf<const T extends string>(choices: readonly T[]) {
  return Type.Unsafe<T>({ type: 'string', enum: [...choices] });
}

/** An integer; in a query it is text. */
export function whole(minimum: number, maximum: number) {
  return Type.Integer({ minimum, maximum });
}

/** Text of 1 to `maxCharacters` UTF-16 units that the database can store. */
export function text(maxCharacters: number) {
  return refined(textOrNone(maxCharacters), (value) => value !== '', textProblem(maxCharacters));
}

/** The same, or empty. */
export function textOrNone(maxCharacters: number) {
  const errorMessage = textProblem(maxCharacters);
  const isFit = (value: string) => value.length <= maxCharacters && isStorable(value);
  return refined(Type.String({ errorMessage }), isFit, errorMessage);
}

/** One line of text that is not blank. */
export function line(maxCharacters: number) {
  const isLine = (value: string) => value.trim() !== '' && isPrintable(value);
  return refined(text(maxCharacters), isLine, 'must be one line of text without control characters, and not blank');
}

/** A schema with a further condition; `problem` ends a sentence that starts with the field. */
export function refined<T extends TSchema>(schema: T, isFit: (value: Static<T>) => boolean, problem: string) {
  return Type.Refine(schema, isFit, () => problem);
}

/** The newest time that a date field can contain: the end of the year 9999, in Unix ms. */
const MAX_MOMENT = 253_402_300_799_999;

/** Unix ms in a request. */
export const Timestamp = whole(0, MAX_MOMENT);

/** Above the length of any id, which in a path may be any text. */
export const MAX_ID_CHARACTERS = 100;

/** The query of a list whose filters may be left empty. */
export function filters<T extends Parameters<typeof Type.Object>[0]>(properties: T) {
  return Type.Object(properties, { emptyIsMissing: true });
}

/** The id in a route's path. */
export const IdParams = Type.Object({ id: text(MAX_ID_CHARACTERS) });

/** A JSON object whose fields the feature checks. */
export const AnyObject = Type.Record(Type.String(), Type.Unknown(), { errorMessage: 'must be a JSON object' });

// Helpers

function textProblem(maxCharacters: number): string {
  return `must be text of 1 to ${maxCharacters} characters`;
}
