import { type RawBuilder, sql } from 'kysely';
import type { Scope } from './get-transaction.ts';
import { candidatesOf, type ListConditions, matches } from './list-conditions.ts';
import type { TransactionRow } from './view.ts';

export interface ListRequest
  extends Pick<ListConditions, 'status' | 'crypto' | 'exception' | 'orderId' | 'createdFrom' | 'createdTo' | 'ids'> {
  readonly limit: number;
  readonly offset: number;
}

/** One row of the page with the total; a page with nothing on it has a single row without a transaction. */
export type ListedRow = { readonly total: number } & (TransactionRow | { readonly id: null });

/**
 * A page and how many match in all, in one statement, so that the two agree however much is created meanwhile. What it costs
 * depends on offset and limit, not on how many transactions there are: see `candidatesOf` and `keptTotalOf`.
 */
export function listStatement(scope: Scope, request: ListRequest, columns: readonly string[]): RawBuilder<ListedRow> {
  const { limit, offset, ...conditions } = request;
  const candidates = candidatesOf(scope, conditions, offset + limit);
  // Those that are named are all candidates: they are read once, for the page and for its total.
  const isNamed = request.ids !== undefined;
  return sql<ListedRow>`
    ${isNamed ? sql`with named as materialized (${candidates})` : sql``}
    select total.total, ${sql.join(columns.map((column) => sql.ref(`transaction.${column}`)))}
    from (select ${isNamed ? sql`(select count(*) from named)` : totalOf(scope, conditions)} as total) as total
    left join lateral (
      select id, created_at from ${isNamed ? sql`named` : sql`(${candidates})`} as candidate
      where total.total > ${offset}
      order by created_at desc, id desc limit ${limit} offset ${offset}
    ) as page on true
    left join transaction on transaction.id = page.id
    order by page.created_at desc, page.id desc`;
}

/**
 * How many transactions match, from the numbers that are kept of status, coin and exception. Null when the conditions ask for more than
 * that: then those in question must be counted.
 */
export function keptTotalOf(scope: Scope, conditions: ListConditions): RawBuilder<number> | null {
  const { status, crypto, exception, type, orderId, createdFrom, createdTo, ids, after, rest } = conditions;
  const others = [type, orderId, createdFrom, createdTo, ids, after, rest];
  if (others.some((condition) => condition !== undefined)) return null;
  const all = [sql`merchant_id = ${scope.merchantId}`, sql`mode = ${scope.mode}`];
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (crypto !== undefined) all.push(sql`crypto = ${crypto}`);
  if (exception !== undefined) all.push(sql`exception = ${exception}`);
  return sql<number>`(
    select coalesce(sum(transactions), 0)::int8 from transaction_count where ${sql.join(all, sql` and `)}
  )`;
}

// Helpers

function totalOf(scope: Scope, conditions: ListConditions): RawBuilder<number> {
  return keptTotalOf(scope, conditions) ?? sql`(select count(*) from transaction where ${matches(scope, conditions)})`;
}
