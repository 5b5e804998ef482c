import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ListPosition } from '../../platform/cursor.ts';
import { type Database, onlyReadable } from '../../platform/db/index.ts';
import type { Scope } from '../view/get-transaction.ts';
import { candidatesOf, type ListConditions } from './list-conditions.ts';

/** The newest rows that match, and the position after the last; null at the end of the list. */
export interface RowsRead<Row> {
  readonly rows: readonly Row[];
  readonly next: ListPosition | null;
}

export interface RowsQuery {
  readonly scope: Scope;
  readonly conditions: ListConditions;
  /** Columns to select from `transaction`. */
  readonly columns: RawBuilder<unknown>;
  readonly limit: number;
}

/** Reads a page by keyset pagination: a late page costs as much as the first. */
export async function readRows<Row>(db: Kysely<Database>, query: RowsQuery): Promise<RowsRead<Row & PlacedRow>> {
  const { rows } = await rowsStatement<Row>({ ...query, limit: query.limit + 1 }).execute(db);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const isEnd = rows.length <= query.limit || last === undefined;
  const readable = await onlyReadable(db, page, ({ id }) => ({ actorId: id, what: 'a payment in lists' }));
  return { rows: readable, next: isEnd ? null : { us: last.created_us, id: last.id } };
}

export interface PlacedRow {
  readonly id: string;
  readonly created_us: string;
}

// Helpers

/** Rows are fetched one by one by primary key, even by a planner without statistics. */
function rowsStatement<Row>({ scope, conditions, columns, limit }: RowsQuery): RawBuilder<Row & PlacedRow> {
  return sql`
    select found.*, page.id, (extract(epoch from page.created_at) * 1000000)::int8::text as created_us
    from (
      select id, created_at from (${candidatesOf(scope, conditions, limit)}) as candidate
      order by created_at desc, id desc limit ${limit}
    ) as page
    cross join lateral (select ${columns} from transaction where transaction.id = page.id limit 1) as found
    order by page.created_at desc, page.id desc`;
}
