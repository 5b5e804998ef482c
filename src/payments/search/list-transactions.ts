import { type RawBuilder, sql } from 'kysely';
import { onlyReadable, PREPARED } from '../../platform/db/index.ts';
import type { ReadDeps, Scope } from '../view/get-transaction.ts';
import { type TransactionView, VIEW_COLUMNS, type ViewColumns } from '../view/merchant-view.ts';
import { viewOf, withPayments } from '../view/read-views.ts';
import { candidatesOf, isScanOfTerms, type ListConditions } from './list-conditions.ts';

export interface TransactionPage {
  readonly transactions: TransactionView<string>[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
}

/** A page of transactions, newest first. */
export async function listTransactions(deps: ReadDeps, scope: Scope, request: ListRequest): Promise<TransactionPage> {
  const { limit, offset } = request;
  const { rows } = await withPayments(listStatement(scope, request, VIEW_COLUMNS)).execute(deps.db);
  const [first] = rows;
  if (first === undefined) throw new Error('a list has no total');
  const found = await onlyReadable(deps.db, rows.filter(isTransaction), ({ id }) => ({
    actorId: id,
    what: 'a payment in lists',
  }));
  const transactions = found.map((row) => viewOf(row, deps.publicUrl));
  return { transactions, pagination: { limit, offset, total: first.total } };
}

export interface ListRequest
  extends Pick<ListConditions, 'status' | 'crypto' | 'exception' | 'orderId' | 'createdFrom' | 'createdTo' | 'ids'> {
  readonly limit: number;
  readonly offset: number;
}

/** A row of the page with the total; an empty page has a single row without a transaction. */
type ListedRow = { readonly total: number } & (ViewColumns | { readonly id: null });

/** So many rows are skipped by reading them; to skip more, the index alone is read first. */
const MAX_ROWS_SKIPPED = 1_000;
const COLUMNS_OF_STATUS = ['status', 'exception', 'step', 'paid_base_units', 'updated_at', 'expires_at'];

/**
 * A page and the total number of matches in one statement, so that the two agree despite concurrent
 * inserts. The page costs what offset and limit say, however many transactions there are: see
 * `candidatesOf`. The total does too where it is kept (`keptTotalOf`), else it counts the matches.
 */
export function listStatement(scope: Scope, request: ListRequest, columns: readonly string[]): RawBuilder<ListedRow> {
  const { limit, offset, ...conditions } = request;
  // Where candidates are rows of terms, only the status is looked up.
  const isByTerms = isScanOfTerms(conditions) && offset <= MAX_ROWS_SKIPPED;
  const ofPage = isByTerms ? columns.filter((column) => !COLUMNS_OF_STATUS.includes(column)) : ['id', 'created_at'];
  const ofRow = columns.filter((column) => !ofPage.includes(column));
  const candidates = candidatesOf(scope, conditions, offset + limit, ofPage);
  // Candidates found by id are read once, for the page and for its total.
  const isNamed = request.ids !== undefined;
  return sql<ListedRow>`
    ${PREPARED} ${isNamed ? sql`with named as materialized (${candidates})` : sql``}
    select total.total, page.*, transaction.*
    from (select ${isNamed ? sql`(select count(*) from named)` : totalOf(scope, conditions)} as total) as total
    left join lateral (
      select ${sql.raw(ofPage.join(', '))} from ${isNamed ? sql`named` : sql`(${candidates})`} as candidate
      where total.total > ${offset}
      order by created_at desc, id desc limit ${limit} offset ${offset}
    ) as page on true
    left join lateral (
      select ${sql.raw(ofRow.join(', '))} from ${isByTerms ? sql`transaction_status` : sql`transaction`}
      where id = page.id limit 1
    ) as transaction on true
    order by page.created_at desc, page.id desc`;
}

/**
 * The number of matches, from the maintained counts by status, coin and exception. Null for other
 * conditions, whose matches must be counted.
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

function isTransaction<Row extends { readonly id: string | null }>(row: Row): row is Row & { readonly id: string } {
  return row.id !== null;
}

/**
 * Pages after the first one exclude later payments: for a day or less, these are counted and
 * subtracted from the stored total, instead of counting the whole history for each page.
 */
function totalOf(scope: Scope, conditions: ListConditions): RawBuilder<number> {
  const kept = keptTotalOf(scope, conditions);
  if (kept !== null) return kept;
  const counted = countOf(scope, conditions);
  const { createdTo, ...others } = conditions;
  const keptWithLater = createdTo === undefined ? null : keptTotalOf(scope, others);
  if (createdTo === undefined || keptWithLater === null) return counted;
  const later = countOf(scope, { ...others, createdFrom: createdTo });
  return sql`(
    case when to_timestamp(${createdTo}::int8 / 1000.0) > now() - interval '1 day' then ${keptWithLater} - ${later} else ${counted} end
  )`;
}

function countOf(scope: Scope, conditions: ListConditions): RawBuilder<number> {
  return sql`(select count(*) from (${candidatesOf(scope, conditions, null)}) as match)`;
}
