import type { Box, ChartLayout, StateDescription } from '../../http/console/contract/charts.ts';
import { headSize, STATE_PADDING } from '../../http/console/text-measurement/index.ts';

/** Where the text of a branch begins and its counts end, in chart pixels. */
export interface Head {
  readonly left: number;
  readonly right: number;
}

/** Distance between text and an edge that passes it. */
const CLEARANCE = 6;
/** Room for the number of actors in a branch and of those that are overdue. */
const COUNTS_WIDTH = 116;

/**
 * The head of a branch: text at the leftmost and counts at the rightmost position where no edge
 * runs through them. Edges into a branch cross the strip with its text, which the layout does not
 * know. Falls back to the left end, with the counts after the text.
 */
export function headOf(state: StateDescription, box: Box, { edges, initials }: ChartLayout): Head {
  const [start, end] = [box.x + STATE_PADDING, box.x + box.width - STATE_PADDING];
  const head = headSize(state);
  const width = head.width - 2 * STATE_PADDING;
  const [top, bottom] = [box.y, box.y + head.height - STATE_PADDING];
  const crossings = [...edges, ...initials].flatMap(({ points }) =>
    points.slice(1).flatMap((point, position) => {
      const before = points[position] ?? point;
      const isPassing = Math.max(before.y, point.y) > top && Math.min(before.y, point.y) < bottom;
      return isPassing
        ? [{ from: Math.min(before.x, point.x) - CLEARANCE, to: Math.max(before.x, point.x) + CLEARANCE }]
        : [];
    }),
  );
  const isFree = (from: number, to: number) => crossings.every((each) => each.to <= from || each.from >= to);
  const left = [start, ...crossings.map(({ to }) => to)]
    .filter((x) => x >= start && x + width <= end)
    .sort((a, b) => a - b)
    .find((x) => isFree(x, x + width));
  const textEnd = (left ?? start) + width;
  const right = [end, ...crossings.map(({ from }) => from)]
    .filter((x) => x >= textEnd && x <= end)
    .sort((a, b) => b - a)
    .find((x) => isFree(x - COUNTS_WIDTH, x));
  return { left: left ?? start, right: right ?? textEnd };
}
