import { type RawBuilder, sql } from 'kysely';

/**
 * The columns of rows that a statement gets as parameters, by type. A `timestamptz` is given as
 * Unix milliseconds, `json` and `jsonb` as JSON text, `numeric` as decimal text.
 */
export type ColumnsByType = { readonly [T in ColumnType]?: readonly string[] };

/** A row with at least these columns; other fields are ignored. */
export type RowOf<C extends ColumnsByType> = {
  readonly [T in keyof C & ColumnType as C[T] extends readonly (infer N extends string)[]
    ? N
    : never]: ValueOf<T> | null;
};

/**
 * An SQL FROM item with these rows: `(select …) as name`. Each column is one array parameter, so
 * the text of the statement is the same for any number of rows, and the server keeps its plan.
 * Names are not escaped: constants only.
 */
export function unnestRows<const C extends ColumnsByType>(
  name: string,
  columns: C,
  rows: readonly RowOf<C>[],
): RawBuilder<unknown> {
  const typed = typesOf(columns);
  const arrays = typed.map(
    ([column, { sent }]) => sql`unnest(${valuesOf(rows, column)}::${sql.raw(`${sent}[]) as ${column}`)}`,
  );
  const selected = typed.map(([column, { read }]) => `${read(column)} as ${column}`).join(', ');
  return sql`(
    select ${sql.raw(selected)} from (select ${sql.join(arrays)}) as given
  ) as ${sql.raw(name)}`;
}

/** The SQL of an INSERT of these rows: `insert into table (…) select … from (…) as name`. */
export function insertUnnested<const C extends ColumnsByType>(
  table: string,
  columns: C,
  rows: readonly RowOf<C>[],
  name = 'fresh',
): RawBuilder<unknown> {
  const names = namesOf(columns);
  return sql`insert into ${sql.table(table)} (${names}) select ${names} from ${unnestRows(name, columns, rows)}`;
}

/** The JSON text of a `json` or `jsonb` column; null stays SQL null. */
export function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

// Helpers

type ColumnType = keyof typeof TYPES;
type ValueOf<T extends ColumnType> = T extends 'int4' | 'int8' | 'timestamptz'
  ? number
  : T extends 'boolean'
    ? boolean
    : string;

const unchanged = (column: string) => column;

/**
 * The array type of the parameter, and the expression that reads an element. Arrays of `text`,
 * `int4` and `int8` are sent in binary (`binary-arrays.ts`), so most others travel as those.
 */
const TYPES = {
  text: { sent: 'text', read: unchanged },
  int4: { sent: 'int4', read: unchanged },
  int8: { sent: 'int8', read: unchanged },
  boolean: { sent: 'boolean', read: unchanged },
  numeric: { sent: 'text', read: (column: string) => `${column}::numeric` },
  json: { sent: 'text', read: (column: string) => `${column}::json` },
  jsonb: { sent: 'text', read: (column: string) => `${column}::jsonb` },
  timestamptz: { sent: 'int8', read: (column: string) => `to_timestamp(${column}::float8 / 1000)` },
} as const;

function typesOf(columns: ColumnsByType): (readonly [column: string, (typeof TYPES)[ColumnType]])[] {
  const byType = Object.entries(columns) as [ColumnType, readonly string[]][];
  return byType.flatMap(([type, names]) => names.map((name) => [name, TYPES[type]] as const));
}

function namesOf(columns: ColumnsByType): RawBuilder<unknown> {
  return sql.raw(
    typesOf(columns)
      .map(([column]) => column)
      .join(', '),
  );
}

function valuesOf(rows: readonly object[], column: string): unknown[] {
  return rows.map((row) => (row as Readonly<Record<string, unknown>>)[column]);
}
