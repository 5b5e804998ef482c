import type { Box, ChartLayout, FoldableChart, Point } from '../contract/charts.ts';
import { ancestorsOf } from './hierarchy.ts';

/**
 * Number of misleading edges: edges that run through an unrelated box, or turn back on themselves.
 * ELK rules out neither; compaction sometimes causes both.
 */
export function faultsIn(layout: ChartLayout, chart: FoldableChart): number {
  const ends = new Map(chart.transitions.map(({ id, from, to }) => [id, { from, to }]));
  let faults = 0;
  for (const { transitionId, points } of layout.edges) {
    const { from = '', to = null } = ends.get(transitionId) ?? {};
    // Branches that contain one of the ends may be crossed.
    const related = new Set([from, to ?? from].flatMap((path) => [path, ...ancestorsOf(path, chart)]));
    // The root's chip is outside of the states and contains none.
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

/** The straight segments of an edge. */
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
