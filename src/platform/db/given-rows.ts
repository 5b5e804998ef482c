import { type RawBuilder, sql } from 'kysely';

/**
 * The columns of rows that a statement is given, by type. A `moment` is a `timestamptz` given as
 * Unix milliseconds, `json` and `jsonb` are JSON text, `numeric` is decimal text.
 */
export type GivenColumns = { readonly [T in GivenType]?: readonly string[] };

/** A row with these columns, and perhaps others, which are not given. */
export type GivenRow<C extends GivenColumns> = {
  readonly [T in keyof C & GivenType as C[T] extends readonly (infer N extends string)[]
    ? N
    : never]: ValueOf<T> | null;
};

/**
 * An SQL FROM item with these rows: `(select …) as name`. Each column is one array parameter, so
 * the text of the statement is the same for any number of rows, and the server keeps its plan.
 */
export function givenRows<const C extends GivenColumns>(
  name: string,
  columns: C,
  rows: readonly GivenRow<C>[],
): RawBuilder<unknown> {
  const typed = typesOf(columns);
  const column = (of: string) => rows.map((row) => (row as Readonly<Record<string, unknown>>)[of]);
  const values = typed.map(([of, { sent }]) => sql`${column(of)}::${sql.raw(sent)}[]`);
  const read = typed.map(([of, { as }]) => `${as(of)} as ${of}`).join(', ');
  return sql`(
    select ${sql.raw(read)} from unnest(${sql.join(values)}) as given (${namesOf(columns)})
  ) as ${sql.raw(name)}`;
}

/** `insert into table (columns) select … from (…) as name`, to be followed by `on conflict`, say. */
export function insertGiven<const C extends GivenColumns>(
  table: string,
  columns: C,
  rows: readonly GivenRow<C>[],
  name = 'fresh',
): RawBuilder<unknown> {
  const names = namesOf(columns);
  return sql`insert into ${sql.raw(table)} (${names}) select ${names} from ${givenRows(name, columns, rows)}`;
}

// Helpers

type GivenType = keyof typeof TYPES;
type ValueOf<T extends GivenType> = T extends 'int4' | 'int8' | 'moment'
  ? number
  : T extends 'boolean'
    ? boolean
    : string;

/** How the values of a column are sent, and as what the statement reads them. */
const TYPES = {
  text: { sent: 'text', as: (column: string) => column },
  int4: { sent: 'int4', as: (column: string) => column },
  int8: { sent: 'int8', as: (column: string) => column },
  boolean: { sent: 'boolean', as: (column: string) => column },
  numeric: { sent: 'text', as: (column: string) => `${column}::numeric` },
  json: { sent: 'text', as: (column: string) => `${column}::json` },
  jsonb: { sent: 'text', as: (column: string) => `${column}::jsonb` },
  moment: { sent: 'int8', as: (column: string) => `to_timestamp(${column} / 1000.0)` },
} as const;

function typesOf(columns: GivenColumns): (readonly [string, (typeof TYPES)[GivenType]])[] {
  const types = Object.entries(columns) as [GivenType, readonly string[]][];
  return types.flatMap(([type, names]) => names.map((name) => [name, TYPES[type]] as const));
}

function namesOf(columns: GivenColumns): RawBuilder<unknown> {
  return sql.raw(Object.values(columns).flat().join(', '));
}
