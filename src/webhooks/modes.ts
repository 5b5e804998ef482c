import { type RawBuilder, sql } from 'kysely';
import { MODES, type Mode } from '../../machines/index.ts';
import { TerminalError } from '../platform/errors.ts';

/** Validates the modes of an endpoint. Throws a `TerminalError` `INVALID_REQUEST`. */
export function readModes(modes: readonly string[]): readonly Mode[] {
  const known = MODES.filter((mode) => modes.includes(mode));
  if (known.length > 0 && modes.every((mode) => known.some((each) => each === mode))) return known;
  throw new TerminalError('INVALID_REQUEST', 'modes must be ["live"], ["test"] or ["live", "test"].', {
    field: 'modes',
  });
}

/**
 * SQL condition: whether an endpoint subscribes to an event. The parameters are the table names or
 * aliases in the query. False for test events, which go only to the endpoint they were requested
 * for.
 */
export function isSubscribed(endpoint: string, event: string): RawBuilder<boolean> {
  const column = (table: string, name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`(
    not ${column(event, 'is_test')} and ${column(endpoint, 'events')} @> to_jsonb(${column(event, 'event')})
    and ${column(endpoint, 'modes')} @> to_jsonb(${column(event, 'mode')})
  )`;
}
