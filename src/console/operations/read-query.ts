import { TerminalError } from '../../errors.ts';
import { isStorable } from '../../text.ts';
import type { ActorFilter } from '../contract/actors.ts';

/** A query string as parsed by Fastify. */
export type Query = Readonly<Record<string, unknown>>;

const FLAGS = ['isOverdue', 'isLate', 'hasTimer', 'hasFailed', 'isRetrying'] as const;
const FILTER_FIELDS = ['kind', 'state', 'merchantId', 'restingMs', 'search', ...FLAGS] as const;

/** Reads a filter of actors from a query or a body. Throws `INVALID_REQUEST` with the field. */
export function readFilter(given: Query): ActorFilter {
  requireKnown(given, FILTER_FIELDS);
  const state = readText(given, 'state');
  const merchantId = readText(given, 'merchantId');
  const restingMs = readWhole(given, 'restingMs', MAX_RESTING_MS);
  const flags = FLAGS.map((name) => [name, readFlag(given, name)] as const).filter(([, is]) => is !== null);
  const search = readText(given, 'search');
  return {
    kind: requireText(given, 'kind'),
    ...(state === null ? {} : { state }),
    ...(merchantId === null ? {} : { merchantId }),
    ...(restingMs === null ? {} : { restingMs }),
    ...Object.fromEntries(flags),
    ...(search === null ? {} : { search }),
  };
}

/** Throws `INVALID_REQUEST` for any other field. */
export function requireKnown(given: Query, fields: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !fields.includes(name));
  if (unknown === undefined) return;
  const shown = JSON.stringify(unknown.slice(0, MAX_TEXT_CHARACTERS));
  throw invalid(shown, `is not known here; fields are ${fields.join(', ')}`);
}

/** A short text; null when missing or empty. */
export function readText(given: Query, name: string): string | null {
  const value = given[name];
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string' && value.length <= MAX_TEXT_CHARACTERS && isStorable(value)) return value;
  throw invalid(name, `must be one text of at most ${MAX_TEXT_CHARACTERS} characters`);
}

export function requireText(given: Query, name: string): string {
  const text = readText(given, name);
  if (text === null) throw invalid(name, 'is missing');
  return text;
}

/** An integer from 0; null when missing. In a query it is text. */
export function readWhole(given: Query, name: string, max: number): number | null {
  const value = given[name];
  if (value === undefined || value === null || value === '') return null;
  const number = typeof value === 'string' && WHOLE.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max) return number;
  throw invalid(name, `must be a whole number from 0 to ${max}`);
}

/** A yes or no; null when missing. In a query it is text. */
export function readFlag(given: Query, name: string): boolean | null {
  const value = given[name];
  if (value === undefined || value === null || value === '') return null;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw invalid(name, 'must be true or false');
}

// Helpers

const MAX_TEXT_CHARACTERS = 200;
/** A hundred years. */
const MAX_RESTING_MS = 3_155_760_000_000;
const WHOLE = /^\d{1,16}$/;

function invalid(name: string, problem: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${name} ${problem}`, { field: name });
}
