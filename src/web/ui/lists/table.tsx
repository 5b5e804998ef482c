import '../../styles/table-cards.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useShortcut } from '../../state/shortcuts.ts';
import { OPENS_ROW, openRow, useRowWindow } from './table-rows.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  /** Takes the remaining width, and is truncated when there is none. */
  readonly isCut?: boolean;
  /** Hidden on narrow screens. */
  readonly isSecondary?: boolean;
  /** Shown on cards all the same. */
  readonly isOnCard?: boolean;
  /**
   * Its first link or button opens the row, and so does a click anywhere else in the row. For
   * keyboards and screen readers the link or button remains the way.
   */
  readonly opensRow?: boolean;
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  /**
   * On phones a row becomes a card of two lines without column titles: the truncated or first
   * column and the last number above, the others below. For cells that need no title.
   */
  readonly asCards?: boolean;
  /** The list of the rows: its next page is fetched when the last rows become visible. */
  readonly more?: {
    readonly hasNextPage?: boolean;
    readonly isFetchingNextPage?: boolean;
    fetchNextPage?(options: { readonly cancelRefetch: boolean }): unknown;
  };
}

/**
 * A virtualized table: renders only the visible rows, so that ten thousand scroll like ten. All
 * rows have the height of the first. `j` and `k` move the focus to what opens the next or previous
 * row, or else to its first link or button, so that Enter opens it.
 */
export function Table<Row>({ label, columns, rows, keyOf, asCards = false, more }: TableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  const { first, count, rowHeight, measure } = useRowWindow(frame, rows.length);
  const { hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = more ?? {};
  const [current, setCurrent] = useState(-1);
  const shown = rows.slice(first, first + count);
  const classes = columns.map((column) => `${classOf(column)} ${asCards ? cardClassOf(column, columns) : ''}`.trim());

  useEffect(() => {
    const isAtEnd = rows.length > 0 && first + count >= rows.length;
    if (isAtEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage?.({ cancelRefetch: false });
  }, [first, count, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  const move = (step: number) => {
    const next = Math.min(Math.max(current + step, 0), rows.length - 1);
    const element = frame.current;
    if (next < 0 || element === null) return;
    setCurrent(next);
    const [top, view] = [next * rowHeight, element.clientHeight - 2 * rowHeight];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + view) element.scrollTop = top - view;
    measure();
    // Immediately, so that Enter right after the key opens it; a row out of view is rendered first.
    if (!focusRow(element, next)) requestAnimationFrame(() => focusRow(element, next));
  };
  useShortcut('j', 'Next row', () => move(1));
  useShortcut('k', 'Previous row', () => move(-1));

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable without a mouse (axe: scrollable-region-focusable)
    <section ref={frame} className="table-frame" onScroll={measure} tabIndex={0} aria-label={label}>
      <table className={asCards ? 'table table-cards' : 'table'} aria-rowcount={rows.length + 1} {...TABLE_ROLES.table}>
        <thead {...TABLE_ROLES.rowgroup}>
          <tr aria-rowindex={1} {...TABLE_ROLES.row}>
            {columns.map((column, index) => (
              <th key={column.id} scope="col" className={classes[index]} {...TABLE_ROLES.columnheader}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...TABLE_ROLES.rowgroup}>
          <Spacer height={first * rowHeight} />
          {shown.map((row, offset) => (
            <tr
              key={keyOf(row)}
              data-row={first + offset}
              aria-rowindex={first + offset + 2}
              onFocus={() => setCurrent(first + offset)}
              onClick={openRow}
              onAuxClick={openRow}
              {...TABLE_ROLES.row}
            >
              {columns.map((column, index) => (
                <td
                  key={column.id}
                  className={classes[index]}
                  {...{ [OPENS_ROW]: column.opensRow }}
                  {...TABLE_ROLES.cell}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Spacer height={(rows.length - first - shown.length) * rowHeight} />
        </tbody>
      </table>
    </section>
  );
}

/** A cell without a value. */
export function Dash() {
  return <span className="soft">–</span>;
}

/** Explicit, because some browsers drop the implicit roles where CSS lays rows out as blocks. */
export const TABLE_ROLES = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

// Helpers

function Spacer({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return <tr aria-hidden="true" className="table-spacer" style={{ height }} />;
}

function classOf<Row>(column: Column<Row>): string {
  return [column.isNumber ? 'number right' : '', column.isSecondary ? 'secondary' : '', column.isCut ? 'table-cut' : '']
    .filter((name) => name !== '')
    .join(' ');
}

/** The position of a column on a card; others are on the second line, unless they are secondary. */
function cardClassOf<Row>(column: Column<Row>, columns: readonly Column<Row>[]): string {
  const shown = columns.filter(({ isSecondary, isOnCard }) => !isSecondary || isOnCard);
  if (column === (shown.find(({ isCut }) => isCut) ?? columns[0])) return 'card-title';
  if (column === shown.findLast(({ isNumber, isSecondary }) => isNumber && !isSecondary)) return 'card-value';
  return column.isOnCard ? 'on-card' : '';
}

/** Returns whether the row is rendered and has something to focus. */
function focusRow(frame: HTMLElement, row: number): boolean {
  const controls = `[data-row="${row}"] :is(a, button)`;
  const opener = frame.querySelector<HTMLElement>(`[data-row="${row}"] [${OPENS_ROW}] :is(a, button)`);
  const control = opener ?? frame.querySelector<HTMLElement>(controls);
  control?.focus({ preventScroll: true });
  return control !== null;
}
