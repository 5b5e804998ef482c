import type { Box, ChartLayout, FoldableChart, Point } from '../../http/console/contract/charts.ts';
import { headSize, STATE_PADDING } from '../../http/console/text-measurement/index.ts';
import { headOf } from './head-position.ts';

/** The part of an edge that its arrow takes. */
const ARROW_PX = 12;
/** Between a count and a line beside it. */
const BESIDE_PX = 4;
/** Where on a straight part a count may be, the best position first. */
const SHARES = [0.5, 0.35, 0.65, 0.2, 0.8];

export interface Flow {
  readonly id: string;
  readonly points: readonly Point[];
  readonly size: Pick<Box, 'width' | 'height'>;
}

/**
 * The middles of the counts on arrows: on the longest straight part that has room for it and for
 * the arrow, off the names of states and off each other; beside the line where there is none.
 */
export function positionFlows(flows: readonly Flow[], chart: FoldableChart, layout: ChartLayout): Map<string, Point> {
  const taken = namesIn(chart, layout);
  const positions = new Map<string, Point>();
  for (const flow of flows) {
    const candidates = [...candidatesOn(flow), ...candidatesBeside(flow)];
    const isFree = (middle: Point) => !taken.some((box) => overlaps(around(middle, flow.size), box));
    const middle = candidates.find(isFree) ?? candidates[0];
    if (middle === undefined) continue;
    taken.push(around(middle, flow.size));
    positions.set(flow.id, middle);
  }
  return positions;
}

// Helpers

/** Leaves, and of branches the strip with their name. */
function namesIn({ states }: FoldableChart, layout: ChartLayout): Box[] {
  return layout.states.flatMap((box) => {
    const state = states.find(({ path }) => path === box.path);
    if (state === undefined) return [];
    if (state.type !== 'compound' || state.path === '') return [box];
    const { left, right } = headOf(state, box, layout);
    return [{ x: left, y: box.y, width: right - left, height: headSize(state).height - STATE_PADDING }];
  });
}

interface Part {
  readonly begin: Point;
  readonly end: Point;
  readonly length: number;
}

/** The straight parts of an edge, the longest first, without its arrow. */
function partsOf(points: readonly Point[]): Part[] {
  return points
    .slice(1)
    .map((end, index) => {
      const begin = points[index] ?? end;
      const whole = Math.hypot(end.x - begin.x, end.y - begin.y);
      const isLast = index === points.length - 2;
      const length = isLast ? whole - ARROW_PX : whole;
      const tip = isLast && whole > 0 ? between(begin, end, Math.max(length, 0) / whole) : end;
      return { begin, end: tip, length };
    })
    .sort((a, b) => b.length - a.length);
}

function candidatesOn({ points, size }: Flow): Point[] {
  return partsOf(points).flatMap(({ begin, end, length }) => {
    const needed = begin.x === end.x ? size.height : size.width;
    return SHARES.filter((share) => length * Math.min(share, 1 - share) * 2 >= needed).map((share) =>
      between(begin, end, share),
    );
  });
}

function candidatesBeside({ points, size }: Flow): Point[] {
  return partsOf(points).flatMap(({ begin, end }) => {
    const middle = between(begin, end, 0.5);
    const isUpright = begin.x === end.x;
    const [x, y] = isUpright ? [size.width / 2 + BESIDE_PX, 0] : [0, size.height / 2 + BESIDE_PX];
    return [
      { x: middle.x + x, y: middle.y + y },
      { x: middle.x - x, y: middle.y - y },
    ];
  });
}

function between(begin: Point, end: Point, share: number): Point {
  return { x: begin.x + (end.x - begin.x) * share, y: begin.y + (end.y - begin.y) * share };
}

function around({ x, y }: Point, { width, height }: Flow['size']): Box {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

function overlaps(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
