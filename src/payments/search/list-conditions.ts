import { type RawBuilder, sql } from 'kysely';
import {
  CRYPTO_SYMBOLS,
  type CryptoSymbol,
  TRANSACTION_STATUSES,
  type TransactionException,
  type TransactionStatus,
  type TransactionType,
  type UnixMs,
} from '../../../machines/index.ts';
import type { ListPosition } from '../../platform/cursor.ts';
import { unnestRows } from '../../platform/db/index.ts';
import type { Scope } from '../view/get-transaction.ts';

/** Filters of a list; all specified ones must match. */
export interface ListConditions {
  readonly status?: TransactionStatus | undefined;
  readonly crypto?: CryptoSymbol | undefined;
  readonly exception?: TransactionException | undefined;
  readonly type?: TransactionType | undefined;
  readonly orderId?: string | undefined;
  /** Created at this time or later. */
  readonly createdFrom?: UnixMs | undefined;
  /** Created before this time. */
  readonly createdTo?: UnixMs | undefined;
  /** Only these ids; unknown ones are skipped. */
  readonly ids?: readonly string[] | undefined;
  /** Only rows after this position, by creation time and id, both descending. */
  readonly after?: ListPosition | undefined;
  /** A further condition on `transaction` without an index. */
  readonly rest?: RawBuilder<unknown> | undefined;
}

/**
 * A select of `id` and `created_at` that contains the newest `rows` matches, or all when null, and
 * as little else as the indexes allow. The caller sorts and limits.
 *
 * Every filter has an index in list order. Status and coin share one: a list by either merges the
 * few index ranges that the values of the other form. So do the types other than `basic`.
 */
export function candidatesOf(
  scope: Scope,
  conditions: ListConditions,
  rows: number | null,
  columns: readonly string[] = ['id', 'created_at'],
): RawBuilder<unknown> {
  const { status, crypto, exception, type, ids, ...others } = conditions;
  if (ids !== undefined) return candidatesAmong(scope, ids, conditions);
  if (!isByRanges(conditions)) {
    return newestOf(rowsFor(conditions), { condition: matches(scope, conditions), columns, rows });
  }
  const cryptos = crypto === undefined ? CRYPTO_SYMBOLS : [crypto];
  // An exception belongs to one status, so a list by exception needs no ranges by status.
  const statuses = status === undefined && exception === undefined ? TRANSACTION_STATUSES : [status ?? null];
  const ranges = statuses.flatMap((each) => cryptos.map((coin) => ({ status: each, crypto: coin })));
  const ofStatus = exception === undefined || status !== undefined ? sql`and status = range.status` : sql``;
  const condition = sql`${matches(scope, { exception, type, ...others })} ${ofStatus} and crypto = range.crypto`;
  return sql`
    select newest.id, newest.created_at
    from ${unnestRows('range', { text: ['status', 'crypto'] }, ranges)}
    cross join lateral (${newestOf(STATUS_ROWS, { condition, columns: ['id', 'created_at'], rows })}) as newest`;
}

/**
 * Whether the candidates are a scan of terms in list order, which reads further columns as well.
 */
export function isScanOfTerms(conditions: ListConditions): boolean {
  const { status, exception, ids } = conditions;
  return ids === undefined && status === undefined && exception === undefined && !isByRanges(conditions);
}

/** The conditions on rows of `transaction`, as SQL. */
export function matches(scope: Scope, conditions: ListConditions): RawBuilder<unknown> {
  const { status, crypto, exception, type, orderId, createdFrom, createdTo, ids, after, rest } = conditions;
  const all = [sql`merchant_id = ${scope.merchantId}`, sql`mode = ${scope.mode}`];
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (crypto !== undefined) all.push(sql`crypto = ${crypto}`);
  if (exception !== undefined) all.push(sql`exception = ${exception}`);
  // A literal, not a parameter: otherwise the planner cannot use the partial index on types.
  if (type !== undefined) all.push(sql`type = ${sql.lit(type)}`);
  if (orderId !== undefined) all.push(sql`order_id = ${orderId}`);
  if (createdFrom !== undefined) all.push(sql`created_at >= to_timestamp(${createdFrom}::int8 / 1000.0)`);
  if (createdTo !== undefined) all.push(sql`created_at < to_timestamp(${createdTo}::int8 / 1000.0)`);
  if (ids !== undefined) all.push(sql`id = any(${[...ids]}::text[])`);
  if (after !== undefined) {
    all.push(sql`(created_at, id) < (
      timestamptz 'epoch' + ${after.us}::int8 * interval '1 microsecond', ${after.id})`);
  }
  if (rest !== undefined) all.push(sql`(${rest})`);
  return sql.join(all, sql` and `);
}

// Helpers

/** Indexed by all that is common to a list but the order id. */
const STATUS_ROWS = sql`transaction_status as transaction`;

/**
 * A FROM item named `transaction` with the columns of the conditions: of one table where it has all
 * of them.
 */
function rowsFor({ status, exception, orderId, rest }: ListConditions): RawBuilder<unknown> {
  if (status === undefined && exception === undefined) return sql`transaction_terms as transaction`;
  return orderId === undefined && rest === undefined ? STATUS_ROWS : sql`transaction`;
}

/** With a further condition, a range without a match would be scanned to its end. */
function isByRanges({ status, crypto, exception, type, orderId, rest }: ListConditions): boolean {
  if (orderId !== undefined || rest !== undefined) return false;
  const isIndexedType = type !== undefined && type !== 'basic';
  return status !== undefined || crypto !== undefined || exception !== undefined || isIndexedType;
}

interface Scan {
  readonly condition: RawBuilder<unknown>;
  readonly columns: readonly string[];
  readonly rows: number | null;
}

function newestOf(source: RawBuilder<unknown>, { condition, columns, rows }: Scan): RawBuilder<unknown> {
  const limit = rows === null ? sql`` : sql`order by created_at desc, id desc limit ${rows}`;
  return sql`select ${sql.raw(columns.join(', '))} from ${source} where ${condition} ${limit}`;
}

/** The limit keeps the planner on the primary key, row by row, however few list rows it expects. */
function candidatesAmong(scope: Scope, ids: readonly string[], conditions: ListConditions): RawBuilder<unknown> {
  return sql`
    select requested.id, found.created_at
    from (select distinct unnest(${[...ids]}::text[]) as id) as requested
    cross join lateral (
      select created_at from ${rowsFor(conditions)}
      where transaction.id = requested.id and ${matches(scope, { ...conditions, ids: undefined })} limit 1
    ) as found`;
}
