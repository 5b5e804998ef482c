import type { Box, ChartInfo, ChartLayout, Point } from '../contract/charts.ts';
import { ancestorsOf } from './hierarchy.ts';

/**
 * How often a reader is misled: an edge that runs through a box it has nothing to do with, or that turns back on itself.
 * ELK promises neither; pushing together brings both about now and then.
 */
export function faultsIn(layout: ChartLayout, chart: ChartInfo): number {
  const ends = new Map(chart.transitions.map(({ id, from, to }) => [id, { from, to }]));
  let faults = 0;
  for (const { transitionId, points } of layout.edges) {
    const { from = '', to = null } = ends.get(transitionId) ?? {};
    // Branches that hold one of the ends are rightly crossed.
    const related = new Set([from, to ?? from].flatMap((path) => [path, ...ancestorsOf(path, chart)]));
    // The chip of the root stands beside the states and holds none.
    if (from !== '' && to !== '') related.delete('');
    const others = [
      ...layout.states.filter(({ path }) => !related.has(path)),
      ...layout.events.filter((event) => event.transitionId !== transitionId),
    ];
    faults += segmentsOf(points).filter(([start, end]) => others.some((box) => runsThrough(start, end, box))).length;
    faults += turnsBack(points);
  }
  return faults;
}

/** The straight pieces of an edge. */
export function segmentsOf(points: readonly Point[]): (readonly [Point, Point])[] {
  return points.slice(1).map((end, position) => [points[position] ?? end, end] as const);
}

// Helpers

function runsThrough(start: Point, end: Point, { x, y, width, height }: Box): boolean {
  return (
    Math.max(start.x, end.x) > x &&
    Math.min(start.x, end.x) < x + width &&
    Math.max(start.y, end.y) > y &&
    Math.min(start.y, end.y) < y + height
  );
}

function turnsBack(points: readonly Point[]): number {
  const directions = segmentsOf(points).map(([start, end]) => ({ x: end.x - start.x, y: end.y - start.y }));
  return directions.filter((step, position) => {
    const before = directions[position - 1];
    return before !== undefined && step.x * before.x + step.y * before.y < 0;
  }).length;
}
