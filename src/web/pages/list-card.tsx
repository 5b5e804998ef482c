import type { ReactNode } from 'react';
import { Await, type AwaitProps } from '../ui/await.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { type Column, Table, type TableProps } from '../ui/lists/table.tsx';
import { errorText } from '../ui/problem.tsx';

interface ListCardProps<Data, Row> extends Omit<TableProps<Row>, 'rows' | 'more'> {
  readonly query: AwaitProps<Data>['query'] & PagedQuery;
  /** What is being fetched, for screen readers. */
  readonly loading: string;
  /** Height of the placeholder. */
  readonly lines: number;
  readonly rowsOf: (data: Data) => readonly Row[];
  /** Shown instead of the table when there are no rows. */
  readonly empty: ReactNode;
  readonly title?: string;
  readonly className?: string;
  /** Dimmed: the rows are those of an earlier filter. */
  readonly isOld?: boolean;
  /** Shown under the rows, with the number of those on the page; omitted for nothing. */
  readonly totalOf?: (data: Data) => number;
}

type PagedQuery = NonNullable<TableProps<never>['more']> & { readonly isFetchNextPageError?: boolean };

/** A list in a card of its own, once it is loaded. */
export function ListCard<Data, Row>({
  query,
  loading,
  lines,
  rowsOf,
  empty,
  title,
  className = '',
  isOld = false,
  totalOf,
  ...table
}: ListCardProps<Data, Row>) {
  return (
    <Await query={query} label={loading} lines={lines}>
      {(data) => {
        const rows = rowsOf(data);
        return (
          <Card title={title} className={`card-flush ${className}${isOld ? ' is-old' : ''}`}>
            {rows.length === 0 ? empty : <Table rows={rows} more={query} {...table} />}
            {totalOf === undefined ? null : (
              <p className={rows.length === 0 ? 'unseen' : 'table-foot'} role="status">
                <span>{`${rows.length.toLocaleString('en')} of ${totalOf(data).toLocaleString('en')}`}</span>
                <span>
                  {query.isFetchingNextPage ? 'Loading more…' : null}
                  {query.isFetchNextPageError ? errorText(query.error) : null}
                </span>
              </p>
            )}
          </Card>
        );
      }}
    </Await>
  );
}

interface OpenColumnProps<Row> {
  readonly title: string;
  readonly word?: string;
  /** Accessible name of the button. */
  readonly label: (row: Row) => string;
  readonly open: (row: Row) => void;
}

/** The last column of a list whose rows open: the button that opens them. */
export function openColumn<Row>({ title, word = 'View', label, open }: OpenColumnProps<Row>): Column<Row> {
  return {
    id: 'open',
    opensRow: true,
    title,
    isNumber: true,
    cell: (row) => (
      <Button variant="quiet" aria-label={label(row)} onClick={() => open(row)}>
        {word}
      </Button>
    ),
  };
}
