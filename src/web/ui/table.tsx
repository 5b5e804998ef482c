import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useShortcut } from '../state/shortcuts.ts';
import { OPENS_ROW, openRow } from './open-row.ts';

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
  /**
   * Its first link or button opens the row, and so does a click anywhere else in the row. For
   * keyboards and screen readers the link or button remains the way.
   */
  readonly opensRow?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  /** The list of the rows: its next page is fetched when the last rows become visible. */
  readonly more?: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(options: { readonly cancelRefetch: boolean }): unknown;
  };
}

/** Rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 12;

/**
 * A virtualized table: renders only the visible rows, so that ten thousand scroll like ten. All
 * rows have the height of the first. `j` and `k` move the focus to what opens the next or previous
 * row, or else to its first link or button, so that Enter opens it.
 */
export function Table<Row>({ label, columns, rows, keyOf, more }: TableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  const { first, count, rowHeight, measure } = useRowWindow(frame, rows.length);
  const { hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = more ?? {};
  const [current, setCurrent] = useState(-1);
  const shown = rows.slice(first, first + count);

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
    // At once, so that Enter right after the key opens it; a row out of view is rendered first.
    if (!focusRow(element, next)) requestAnimationFrame(() => focusRow(element, next));
  };
  useShortcut('j', 'Next row', () => move(1));
  useShortcut('k', 'Previous row', () => move(-1));

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable without a mouse (axe: scrollable-region-focusable)
    <section ref={frame} className="table-frame" onScroll={measure} tabIndex={0} aria-label={label}>
      <table className="table" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={first * rowHeight} />
          {shown.map((row, offset) => (
            <tr
              key={keyOf(row)}
              data-row={first + offset}
              aria-rowindex={first + offset + 2}
              onFocus={() => setCurrent(first + offset)}
              onClick={openRow}
              onAuxClick={openRow}
            >
              {columns.map((column) => (
                <td key={column.id} className={classOf(column)} {...{ [OPENS_ROW]: column.opensRow }}>
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

/** Returns whether the row is rendered and has something to focus. */
function focusRow(frame: HTMLElement, row: number): boolean {
  const controls = `[data-row="${row}"] :is(a, button)`;
  const opener = frame.querySelector<HTMLElement>(`[data-row="${row}"] [${OPENS_ROW}] :is(a, button)`);
  const control = opener ?? frame.querySelector<HTMLElement>(controls);
  control?.focus({ preventScroll: true });
  return control !== null;
}

/** The rows that are visible in the frame, or in the window where the frame does not scroll. */
function useRowWindow(frame: { readonly current: HTMLElement | null }, total: number) {
  const [range, setRange] = useState({ first: 0, count: 4 * OVERSCAN_ROWS, rowHeight: 40 });
  const measure = () => {
    const element = frame.current;
    const row = element?.querySelector<HTMLElement>('[data-row]');
    if (element === null || row === null || row === undefined) return;
    const rowHeight = row.getBoundingClientRect().height || range.rowHeight;
    const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - OVERSCAN_ROWS);
    const count = Math.ceil(element.clientHeight / rowHeight) + 2 * OVERSCAN_ROWS;
    setRange((before) =>
      before.first === first && before.count === count && before.rowHeight === rowHeight
        ? before
        : { first, count, rowHeight },
    );
  };
  useEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (frame.current !== null) observer.observe(frame.current);
    return () => observer.disconnect();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- measured again when the number of rows changes
  }, [total]);
  return { ...range, measure };
}
