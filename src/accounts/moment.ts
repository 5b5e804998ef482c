import { sql } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';

/** A moment to compare a column with. Columns are numbers when read, but moments to the database. */
export function moment(at: UnixMs) {
  return sql<number>`${new Date(at)}::timestamptz`;
}
