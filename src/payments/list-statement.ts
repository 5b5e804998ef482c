import { type RawBuilder, sql } from 'kysely';
import {
  CRYPTO_SYMBOLS,
  type CryptoSymbol,
  TRANSACTION_STATUSES,
  type TransactionException,
  type TransactionStatus,
  type UnixMs,
} from '../../machines/index.ts';
import type { Scope } from './get-transaction.ts';
import type { TransactionRow } from './view.ts';

export interface ListRequest {
  readonly limit: number;
  readonly offset: number;
  readonly status?: TransactionStatus;
  readonly crypto?: CryptoSymbol;
  readonly exception?: TransactionException;
  readonly orderId?: string;
  /** Created at this moment or later. */
  readonly createdFrom?: UnixMs;
  /** Created before this moment. */
  readonly createdTo?: UnixMs;
  /** Only these; unknown ones are skipped. */
  readonly ids?: readonly string[];
}

/** One row of the page with the total; a page with nothing on it has a single row without a transaction. */
export type ListedRow = { readonly total: number } & (TransactionRow | { readonly id: null });

/**
 * A page and how many match in all, in one statement, so that the two agree however much is created meanwhile. What it costs
 * depends on offset and limit, not on how many transactions there are:
 *
 * - Every filter has an index in the order of the list. Status and coin share one: a list by one of them merges the few
 *   ranges that the values of the other make.
 * - The total of a list by status, coin or exception comes from `transaction_count`. By order, ids or moment of creation
 *   the transactions in question are counted.
 */
export function listStatement(scope: Scope, request: ListRequest, columns: readonly string[]): RawBuilder<ListedRow> {
  const { limit, offset } = request;
  return sql<ListedRow>`
    select total.total, ${sql.join(columns.map((column) => sql.ref(`transaction.${column}`)))}
    from (select ${totalOf(scope, request)} as total) as total
    left join lateral (
      select id, created_at from (${candidatesOf(scope, request)}) as candidate
      where total.total > ${offset}
      order by created_at desc, id desc limit ${limit} offset ${offset}
    ) as page on true
    left join transaction on transaction.id = page.id
    order by page.created_at desc, page.id desc`;
}

// Helpers

function totalOf(scope: Scope, request: ListRequest): RawBuilder<number> {
  const { status, crypto, exception, orderId, createdFrom, createdTo, ids } = request;
  const isCounted = orderId === undefined && createdFrom === undefined && createdTo === undefined && ids === undefined;
  if (!isCounted) return sql`(select count(*) from transaction where ${matches(scope, request)})`;
  const conditions = [sql`merchant_id = ${scope.merchantId}`, sql`mode = ${scope.mode}`];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (crypto !== undefined) conditions.push(sql`crypto = ${crypto}`);
  if (exception !== undefined) conditions.push(sql`exception = ${exception}`);
  return sql`(
    select coalesce(sum(transactions), 0)::int8 from transaction_count where ${sql.join(conditions, sql` and `)}
  )`;
}

/** Ids and moments of creation of what may be on the page, and of as little else as the indexes allow. */
function candidatesOf(scope: Scope, request: ListRequest): RawBuilder<unknown> {
  const { limit, offset, status, crypto, exception, orderId, ids } = request;
  const byRanges = status !== undefined || crypto !== undefined || exception !== undefined;
  if (ids !== undefined || orderId !== undefined || !byRanges) {
    return sql`select id, created_at from transaction where ${matches(scope, request)}`;
  }
  const cryptos = crypto === undefined ? CRYPTO_SYMBOLS : [crypto];
  // An exception belongs to one status, so a list by it needs no ranges of the status.
  const statuses = status === undefined && exception === undefined ? TRANSACTION_STATUSES : [status ?? null];
  const ranges = statuses.flatMap((each) => cryptos.map((coin) => ({ status: each, crypto: coin })));
  const ofStatus = exception === undefined || status !== undefined ? sql`and status = range.status` : sql``;
  const rest = matches(scope, { ...(exception === undefined ? {} : { exception }), ...momentsOf(request) });
  return sql`
    select newest.id, newest.created_at
    from unnest(
      ${ranges.map((range) => range.status)}::text[], ${ranges.map((range) => range.crypto)}::text[]
    ) as range (status, crypto)
    cross join lateral (
      select id, created_at from transaction where ${rest} ${ofStatus} and crypto = range.crypto
      order by created_at desc, id desc limit ${offset + limit}
    ) as newest`;
}

type Conditions = Omit<ListRequest, 'limit' | 'offset'>;

function momentsOf({ createdFrom, createdTo }: ListRequest): Conditions {
  return {
    ...(createdFrom === undefined ? {} : { createdFrom }),
    ...(createdTo === undefined ? {} : { createdTo }),
  };
}

function matches(scope: Scope, conditions: Conditions): RawBuilder<unknown> {
  const { status, crypto, exception, orderId, createdFrom, createdTo, ids } = conditions;
  const all = [sql`merchant_id = ${scope.merchantId}`, sql`mode = ${scope.mode}`];
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (crypto !== undefined) all.push(sql`crypto = ${crypto}`);
  if (exception !== undefined) all.push(sql`exception = ${exception}`);
  if (orderId !== undefined) all.push(sql`order_id = ${orderId}`);
  if (createdFrom !== undefined) all.push(sql`created_at >= to_timestamp(${createdFrom}::int8 / 1000.0)`);
  if (createdTo !== undefined) all.push(sql`created_at < to_timestamp(${createdTo}::int8 / 1000.0)`);
  if (ids !== undefined) all.push(sql`id = any(${[...ids]}::text[])`);
  return sql.join(all, sql` and `);
}
