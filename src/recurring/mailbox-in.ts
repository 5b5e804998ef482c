import { type RawBuilder, sql } from 'kysely';

/** `mailboxOf` as SQL. Both columns have an index of it. */
export function mailboxIn(column: 'recipient' | 'customer_email'): RawBuilder<string> {
  return sql`lower(regexp_replace(${sql.ref(column)}, '^([^+@]+)[+][^@]*@', '\\1@'))`;
}
