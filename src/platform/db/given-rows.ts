import { type RawBuilder, sql } from 'kysely';

/**
 * Columns of rows that a statement is given, with the type of each. `moment` is a `timestamptz`
 * given as Unix milliseconds, `json` and `jsonb` are JSON text, `numeric` is decimal text.
 */
export type GivenColumns = Readonly<Record<string, keyof typeof TYPES>>;

/** A row with these columns. */
export type GivenRow<C extends GivenColumns> = { readonly [N in keyof C]: ValueOf<C[N]> | null };

/**
 * An SQL FROM item with these rows: `(select …) as name`. Each column is one array parameter, so
 * the text of the statement is the same for any number of rows, and the server keeps its plan.
 */
export function givenRows<C extends GivenColumns>(
  name: string,
  columns: C,
  rows: readonly GivenRow<C>[],
): RawBuilder<unknown> {
  const names = Object.keys(columns);
  const values = names.map((column) => sql`${rows.map((row) => row[column])}::${arrayOf(columns[column])}`);
  const selected = names.map((column) => `${TYPES[columns[column] as GivenType].read(column)} as ${column}`);
  return sql`(select ${sql.raw(selected.join(', '))} from unnest(${sql.join(values)}) as given (${sql.raw(names.join(', '))})) as ${sql.raw(name)}`;
}

/** `insert into table (columns) select … from (…) as name`, to be followed by `on conflict`, say. */
export function insertGiven<C extends GivenColumns>(
  table: string,
  columns: C,
  rows: readonly GivenRow<C>[],
  name = 'fresh',
): RawBuilder<unknown> {
  const names = sql.raw(Object.keys(columns).join(', '));
  return sql`insert into ${sql.raw(table)} (${names}) select ${names} from ${givenRows(name, columns, rows)}`;
}

// Helpers

type GivenType = keyof typeof TYPES;
type ValueOf<T extends GivenType> = T extends 'int4' | 'int8' | 'moment'
  ? number
  : T extends 'boolean'
    ? boolean
    : string;

/** How the values of a column are sent, and how the statement reads them. */
const TYPES = {
  text: { sent: 'text', read: asIs },
  int4: { sent: 'int4', read: asIs },
  int8: { sent: 'int8', read: asIs },
  boolean: { sent: 'boolean', read: asIs },
  numeric: { sent: 'text', read: (column: string) => `${column}::numeric` },
  json: { sent: 'text', read: (column: string) => `${column}::json` },
  jsonb: { sent: 'text', read: (column: string) => `${column}::jsonb` },
  moment: { sent: 'int8', read: (column: string) => `to_timestamp(${column} / 1000.0)` },
} as const;

function asIs(column: string): string {
  return column;
}

function arrayOf(type: GivenType | undefined): RawBuilder<unknown> {
  return sql.raw(`${TYPES[type as GivenType].sent}[]`);
}
