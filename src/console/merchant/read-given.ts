import { TerminalError } from '../../errors.ts';
import { type FieldReader, readFields } from '../reading.ts';

type Readers = Readonly<Record<string, FieldReader<unknown>>>;
type GivenOf<F> = { readonly [K in keyof F]?: F[K] extends FieldReader<infer T> ? Exclude<T, undefined> : never };

/**
 * Reads what is to be changed: any of these fields, at least one, and no others. Throws a `TerminalError` `INVALID_REQUEST`.
 */
export function readChanges<const F extends Readers>(body: unknown, fields: F): GivenOf<F> {
  const changes = readGiven(body, fields);
  if (Object.keys(changes).length > 0) return changes;
  throw new TerminalError('INVALID_REQUEST', `Say what to change: ${Object.keys(fields).join(', ')}`);
}

/** Reads fields that may all be left out; those that are left out are not in the answer. Throws a `TerminalError` `INVALID_REQUEST`. */
export function readGiven<const F extends Readers>(body: unknown, fields: F): GivenOf<F> {
  const read = Object.entries(readFields(body, fields)).filter(([, value]) => value !== undefined);
  // Entries forget which name had which value.
  return Object.fromEntries(read) as GivenOf<F>;
}
