import { useEffect, useState } from 'react';

/** Rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 12;

/** The rows that are visible in the frame, or in the window where the frame does not scroll. */
export function useRowWindow(frame: { readonly current: HTMLElement | null }, total: number) {
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
