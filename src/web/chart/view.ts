import type { Box, ChartLayout, Point } from '../../http/console/contract/charts.ts';

/** The visible part of a chart, in chart pixels; null shows all of it. Pure functions. */
export type View = Box | null;

export type ChartSize = Pick<Box, 'width' | 'height'>;

/** Zoom factor of one key press or button click. */
export const ZOOM_STEP = 1.25;
/** At which the smallest text of a chart, 12 px, has 11 px. */
const SMALLEST_SCALE = 11 / 12;
/** Minimum width as a share of the chart: less than a tenth shows hardly one box. */
const SMALLEST_SHARE = 1 / 10;

/**
 * Zooms in by `factor` (out if below 1), keeping `centre` where it is on the screen. Never shows
 * more than the whole chart.
 */
export function zoomed(view: View, size: ChartSize, factor: number, centre: Point = middleOf(view, size)): View {
  const seen = view ?? whole(size);
  const width = Math.max(seen.width / factor, size.width * SMALLEST_SHARE);
  if (width >= size.width && (seen.height * width) / seen.width >= size.height) return null;
  const share = width / seen.width;
  const height = seen.height * share;
  const [x, y] = [centre.x - (centre.x - seen.x) * share, centre.y - (centre.y - seen.y) * share];
  return kept({ x, y, width, height }, size);
}

/**
 * Moves the view by a distance in chart pixels. Without zoom everything is visible and nothing
 * moves.
 */
export function panned(view: View, size: ChartSize, by: Point): View {
  return view === null ? null : kept({ ...view, x: view.x + by.x, y: view.y + by.y }, size);
}

/** One chart pixel becomes one screen pixel, in a frame on the screen, around a point. */
export function atFullSize(size: ChartSize, frame: ChartSize, centre: Point): View {
  if (fitScale(size, frame) >= 1) return null;
  const { width, height } = frame;
  return kept({ x: centre.x - width / 2, y: centre.y - height / 2, width, height }, size);
}

/**
 * All of the chart where that leaves its texts readable, otherwise its full size around a point.
 */
export function openingView(size: ChartSize, frame: ChartSize, centre: Point): View {
  // A hidden chart has no frame.
  if (frame.width === 0 || fitScale(size, frame) >= SMALLEST_SCALE) return null;
  return atFullSize(size, frame, centre);
}

/** Moves the view as little as necessary to show a box; the focused node must be visible. */
export function viewShowing(view: View, size: ChartSize, box: Box): View {
  if (view === null) return null;
  const x = Math.min(Math.max(view.x, box.x + box.width + MARGIN - view.width), box.x - MARGIN);
  const y = Math.min(Math.max(view.y, box.y + box.height + MARGIN - view.height), box.y - MARGIN);
  return x === view.x && y === view.y ? view : kept({ ...view, x, y }, size);
}

export function viewBoxOf(view: View, size: ChartSize): string {
  const { x, y, width, height } = view ?? whole(size);
  return [x, y, width, height].map((length) => Math.round(length * 10) / 10).join(' ');
}

/** Padding and border of the card around a chart. */
const CARD_EDGES_PX = 26;
/** Below this width a chart is a list. */
const SMALLEST_PICTURE = '40rem';

/** The CSS width that the card of a chart needs; with less beside others, those go below it. */
export function roomFor(layout: ChartLayout | undefined, isFolded: boolean): string {
  if (!isFolded) return '100%';
  const readablePx = Math.ceil((layout?.width ?? 0) * SMALLEST_SCALE);
  return `calc(max(${SMALLEST_PICTURE}, ${readablePx}px) + ${CARD_EDGES_PX}px)`;
}

// Helpers

const MARGIN = 16;

/** Scale at which all of a chart fits a frame, in both directions. */
function fitScale(size: ChartSize, frame: ChartSize): number {
  return Math.min(frame.width / size.width, frame.height / size.height);
}

function whole({ width, height }: ChartSize): Box {
  return { x: 0, y: 0, width, height };
}

function middleOf(view: View, size: ChartSize): Point {
  const { x, y, width, height } = view ?? whole(size);
  return { x: x + width / 2, y: y + height / 2 };
}

/** Keeps the view inside the chart, or the chart in the middle of a view that is larger. */
function kept(box: Box, size: ChartSize): Box {
  return { ...box, x: within(box.x, size.width - box.width), y: within(box.y, size.height - box.height) };
}

function within(start: number, space: number): number {
  return space < 0 ? space / 2 : Math.min(Math.max(start, 0), space);
}
