import type { Box, ChartLayout, StateInfo } from '../../http/console/contract/charts.ts';
import { headSize, STATE_PADDING } from '../../http/console/text-measurement/index.ts';

/** Distance between text and an edge that passes it. */
const CLEARANCE = 6;

/**
 * The x position of a branch's text: the leftmost position where no edge runs through it. Edges
 * into a branch cross the strip with its text, which the layout does not know. Falls back to the
 * left end.
 */
export function headXOf(state: StateInfo, box: Box, { edges, initials }: ChartLayout): number {
  const left = box.x + STATE_PADDING;
  const head = headSize(state);
  const width = head.width - 2 * STATE_PADDING;
  const [top, bottom] = [box.y, box.y + head.height - STATE_PADDING];
  const crossings = [...edges, ...initials].flatMap(({ points }) =>
    points.slice(1).flatMap((end, position) => {
      const start = points[position] ?? end;
      const isPassing = Math.max(start.y, end.y) > top && Math.min(start.y, end.y) < bottom;
      return isPassing
        ? [{ from: Math.min(start.x, end.x) - CLEARANCE, to: Math.max(start.x, end.x) + CLEARANCE }]
        : [];
    }),
  );
  const places = [left, ...crossings.map(({ to }) => to)]
    .filter((x) => x >= left && x + width <= box.x + box.width - STATE_PADDING)
    .sort((a, b) => a - b);
  return places.find((x) => crossings.every(({ from, to }) => to <= x || from >= x + width)) ?? left;
}
