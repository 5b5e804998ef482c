import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * A column value that does not fit the type it is read as, such as an int8 beyond 2^53. Reading the
 * row succeeds, so that the other rows are read as well; calculating with the value, comparing it
 * or serializing it throws a `RangeError`.
 */
export class UnreadableValue {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }

  [Symbol.toPrimitive](): never {
    throw new RangeError(this.reason);
  }

  toString(): never {
    throw new RangeError(this.reason);
  }

  toJSON(): never {
    throw new RangeError(this.reason);
  }
}

/** Why a row cannot be used, with the column; null when all its values are readable. */
export function unreadableIn(row: object): string | null {
  // Not `Object.entries`: a list checks 100 rows of many columns, and pairs would be its garbage.
  for (const column in row) {
    const value: unknown = Reflect.get(row, column);
    if (value instanceof UnreadableValue) return `${nameInDatabase(column)}: ${value.reason}`;
  }
  return null;
}

/** Some statements rename `due_at` to `dueAt` for the code. */
function nameInDatabase(column: string): string {
  return column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Identifies a skipped row in the alert. */
export interface RowName {
  /** Such as `timer reminder_due`. */
  readonly what: string;
  /** The actor it belongs to; null when it belongs to none. */
  readonly actorId: string | null;
}

/**
 * Returns the readable rows, in their order. Each other row raises the operator alert
 * `row_unreadable`, unless the same alert is open, and is passed to `park`, so that a reader of
 * many rows continues without it.
 */
export async function onlyReadable<R extends object>(
  db: Kysely<Database>,
  rows: readonly R[],
  nameOf: (row: R) => RowName,
  park: (unreadable: readonly R[]) => Promise<void> = async () => {},
): Promise<R[]> {
  const unreadable = rows.filter((row) => unreadableIn(row) !== null);
  if (unreadable.length === 0) return [...rows];
  await park(unreadable);
  for (const row of unreadable) {
    const { what, actorId } = nameOf(row);
    await alertOnce(db, { actorId, alert: 'row_unreadable', detail: `${what} was skipped: ${unreadableIn(row)}` });
  }
  return rows.filter((row) => !unreadable.includes(row));
}

/** Raises an operator alert unless an identical one is open. */
export async function alertOnce(
  db: Kysely<Database>,
  { actorId, alert, detail }: { readonly actorId: string | null; readonly alert: string; readonly detail: string },
): Promise<void> {
  await sql`
    insert into operator_alert (actor_id, alert, detail) select ${actorId}, ${alert}, ${detail}
    where not exists (
      select from operator_alert where actor_id is not distinct from ${actorId}::text and alert = ${alert}
        and detail = ${detail} and resolved_at is null)`.execute(db);
}
