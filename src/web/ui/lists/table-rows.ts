import { type MouseEvent, useEffect, useState } from 'react';

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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- measured again for other rows
  }, [total]);
  return { ...range, measure };
}

/** Attribute of the cell whose link or button opens its row. */
export const OPENS_ROW = 'data-opens-row';
/** Clicks on these do what the control does. */
const CONTROLS = 'a, button, input, select, textarea, label, summary';
const MIDDLE_BUTTON = 1;

/**
 * Handles a click, or a middle click, anywhere in a table row like one on the link or button that
 * opens it. Ignores clicks on controls and clicks that end a text selection.
 */
export function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const { currentTarget: row, target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  // React also passes on clicks in dialogs that a cell has opened elsewhere in the document.
  if (!(target instanceof Element) || !row.contains(target) || target.closest(CONTROLS) !== null) return;
  if (button > MIDDLE_BUTTON || shiftKey || altKey || getSelection()?.isCollapsed === false) return;
  const opener = row.querySelector<HTMLElement>(`[${OPENS_ROW}] :is(a, button)`);
  const isNewTab = button === MIDDLE_BUTTON || ctrlKey || metaKey;
  // One of the two keys opens a new tab on every system, and only links know them.
  if (isNewTab && opener instanceof HTMLAnchorElement) {
    opener.dispatchEvent(new globalThis.MouseEvent('click', { ...ANY_CLICK, ctrlKey: true, metaKey: true }));
  } else if (!isNewTab) opener?.click();
}

// Helpers

const ANY_CLICK = { bubbles: true, cancelable: true } as const;
