import { TerminalError } from '../../errors.ts';

/** Reads one field of a body; `undefined` when it was left out. */
type FieldReader<T> = (value: unknown, name: string) => T;
type ValuesOf<F> = { readonly [K in keyof F]: F[K] extends FieldReader<infer T> ? T : never };

/** Reads a JSON object with these fields and no others. Throws a `TerminalError` `INVALID_REQUEST` that names the field. */
export function readBody<const F extends Readonly<Record<string, FieldReader<unknown>>>>(
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
  // The only place where the type is lost: entries forget which name had which value.
  return Object.fromEntries(read) as ValuesOf<F>;
}

export const text: FieldReader<string> = (value, name) => {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_CHARACTERS && !UNSTORABLE.test(value))
    return value;
  throw invalid(name, `must be text of 1 to ${MAX_CHARACTERS} characters`);
};

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

/** A field that may be left out. */
export function maybe<T>(reader: FieldReader<T>): FieldReader<T | undefined> {
  return (value, name) => (value === undefined || value === null ? undefined : reader(value, name));
}

// Helpers

/** Longer than anything that is asked for. */
const MAX_CHARACTERS = 1_000;
const MAX_NAME_CHARACTERS = 50;
/** Half of a character that takes two, and what the database cannot hold. */
const UNSTORABLE = /[\p{Surrogate}\0]/u;

function shown(name: string): string {
  return JSON.stringify(name.slice(0, MAX_NAME_CHARACTERS));
}

function invalid(name: string, problem: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${name} ${problem}`, { field: name });
}
