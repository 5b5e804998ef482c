import { TerminalError } from '../../errors.ts';
import { type FieldReader, readFields } from '../reading.ts';

type Readers = Readonly<Record<string, FieldReader<unknown>>>;
type GivenOf<F> = { readonly [K in keyof F]?: F[K] extends FieldReader<infer T> ? Exclude<T, undefined> : never };

/**
 * Reads the fields of a change: at least one of these, and no others. Throws a `TerminalError`
 * `INVALID_REQUEST`.
 */
export function readChanges<const F extends Readers>(body: unknown, fields: F): GivenOf<F> {
  const changes = readGiven(body, fields);
  if (Object.keys(changes).length > 0) return changes;
  throw new TerminalError('INVALID_REQUEST', `Say what to change: ${Object.keys(fields).join(', ')}`);
}

/**
 * Reads optional fields; missing ones are absent from the result. Throws a `TerminalError`
 * `INVALID_REQUEST`.
 */
export function readGiven<const F extends Readers>(body: unknown, fields: F): GivenOf<F> {
  const read = Object.entries(readFields(body, fields)).filter(([, value]) => value !== undefined);
  // `Object.fromEntries` loses which name has which type.
  return Object.fromEntries(read) as GivenOf<F>;
}
