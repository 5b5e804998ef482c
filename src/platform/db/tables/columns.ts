import type { ColumnType } from 'kysely';

/** `timestamptz`: Unix milliseconds when read (see `values.ts`), a Date when written. */
export type Timestamp = ColumnType<number, Date, Date>;
export type NullableTimestamp = ColumnType<number | null, Date | null, Date | null>;
/** Defaults to the time of the insert. */
export type InsertTimestamp = ColumnType<number, Date | undefined, Date>;

/** `json` or `jsonb`: a parsed value when read, its JSON text when written. */
export type Json<T> = ColumnType<T, string, string>;
export type JsonWithDefault<T> = ColumnType<T, string | undefined, string>;
export type NullableJson<T> = ColumnType<T | null, string | null, string | null>;

/** `numeric(78,0)`: base units as bigint when read, their decimal text when written. */
export type BaseUnits = ColumnType<bigint, string, string>;
