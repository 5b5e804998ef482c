import { TerminalError } from '../errors.ts';
import { isStorable } from '../text.ts';

/** Reads one field of a body or query; the value is `undefined` when missing. */
export type FieldReader<T> = (value: unknown, name: string) => T;
type ValuesOf<F> = { readonly [K in keyof F]: F[K] extends FieldReader<infer T> ? T : never };

/**
 * Reads a JSON object with these fields and no others. Throws a `TerminalError` `INVALID_REQUEST`
 * that names the field.
 */
export function readFields<const F extends Readonly<Record<string, FieldReader<unknown>>>>(
  body: unknown,
  fields: F,
): ValuesOf<F> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('body', `must be a JSON object with ${Object.keys(fields).join(', ')}`);
  }
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    throw invalid(shown(unknown), `is not known here; fields are ${Object.keys(fields).join(', ')}`);
  }
  const given = body as Readonly<Record<string, unknown>>;
  const read = Object.entries(fields).map(([name, reader]) => [name, reader(given[name], name)]);
  // `Object.fromEntries` loses which name has which type.
  return Object.fromEntries(read) as ValuesOf<F>;
}

export const text: FieldReader<string> = (value, name) => {
  const isFit = typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_CHARACTERS;
  if (isFit && isStorable(value)) return value;
  throw invalid(name, `must be text of 1 to ${MAX_TEXT_CHARACTERS} characters`);
};

/** An integer; in a query it is text. */
export function whole(min: number, max: number): FieldReader<number> {
  return (value, name) => {
    const number = typeof value === 'string' && WHOLE.test(value) ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
    throw invalid(name, `must be a whole number from ${min} to ${max}`);
  };
}

export const yesOrNo: FieldReader<boolean> = (value, name) => {
  if (typeof value === 'boolean') return value;
  throw invalid(name, 'must be true or false');
};

export function oneOf<const T extends string>(choices: readonly T[]): FieldReader<T> {
  return (value, name) => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw invalid(name, `must be one of ${choices.join(', ')}`);
    return found;
  };
}

/** An optional field. */
export function maybe<T>(reader: FieldReader<T>): FieldReader<T | undefined> {
  return (value, name) => (value === undefined || value === null ? undefined : reader(value, name));
}

// Helpers

const MAX_TEXT_CHARACTERS = 1_000;
const MAX_NAME_CHARACTERS = 50;
/** Integers accepted in a query; JavaScript numbers represent all of them exactly. */
const WHOLE = /^-?\d{1,15}$/;

function shown(name: string): string {
  return JSON.stringify(name.slice(0, MAX_NAME_CHARACTERS));
}

function invalid(name: string, problem: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${name} ${problem}`, { field: name });
}
