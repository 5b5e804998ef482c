import { sql } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';

/** A timestamp to compare with a column: columns are read as numbers but are timestamps in SQL. */
export function timestamp(at: UnixMs) {
  return sql<number>`${new Date(at)}::timestamptz`;
}
