import type { ChartInfo } from '../../http/console/contract/charts.ts';
import type { Throughput } from '../../http/console/operations/chart-activity-schemas.ts';

/**
 * How many state changes each arrow of a folded chart stands for, by its id. A change counts for
 * the arrow between the innermost states that contain its ends; one that passed through other
 * states in the same step has none.
 */
export function flowsOf({ transitions }: ChartInfo, { changes }: Throughput): ReadonlyMap<string, number> {
  const flows = new Map<string, number>();
  for (const { from, to, count } of changes) {
    if (from === null) continue;
    const arrows = transitions.filter((arrow) => contains(arrow.from, from) && contains(arrow.to ?? arrow.from, to));
    const [nearest] = arrows.toSorted((a, b) => depthOf(b.from) - depthOf(a.from) || depthOf(b.to) - depthOf(a.to));
    if (nearest !== undefined) flows.set(nearest.id, (flows.get(nearest.id) ?? 0) + count);
  }
  return flows;
}

// Helpers

function contains(branch: string, leaf: string): boolean {
  return branch === '' || leaf === branch || leaf.startsWith(`${branch}.`);
}

function depthOf(path: string | null): number {
  return path === null || path === '' ? 0 : path.split('.').length;
}
