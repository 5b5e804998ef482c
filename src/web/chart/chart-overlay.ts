import type { FoldableChart } from '../../http/console/contract/charts.ts';
import type { Throughput } from '../../http/console/operator/chart-activity-schemas.ts';
import type { ChartData } from './types.ts';

/** The overlay of a chart: the path of one actor, or how many actors rest in each state. */
export interface ChartOverlay {
  /** The state the actor is in, or a branch that contains it. */
  isLive(path: string): boolean;
  /** How often the actor entered it; 0 without a step. */
  visits(path: string): number;
  /** How often the transition was taken; 0 without a step. */
  takes(transitionId: string): number;
  /** How many state changes an arrow of a folded chart stands for; 0 without a throughput. */
  flow(transitionId: string): number;
  /** How many actors rest there, including substates for a branch; null without a population. */
  resting(path: string): { readonly count: number; readonly overdue: number } | null;
  /** How long actors have been in a leaf; null for branches, final states and empty leaves. */
  dwell(path: string): Dwell | null;
}

export interface Dwell {
  readonly oldestMs: number;
  readonly p95Ms: number;
  /** Null without a limit. */
  readonly limitMs: number | null;
  /** By the 95th percentile, so that one forgotten actor does not colour a state of thousands. */
  readonly heat: Heat;
}

export function overlayOf({
  chart,
  stepDetail,
  population,
  throughput,
}: Pick<ChartData, 'chart' | 'stepDetail' | 'population' | 'throughput'>): ChartOverlay {
  const visited = new Map(stepDetail?.visited.map(({ path, count }) => [path, count]));
  const flows = throughput === undefined || !chart.isFolded ? null : flowsOf(chart, throughput);
  const taken = new Map(stepDetail?.taken.map(({ transitionId, count }) => [transitionId, count]));
  return {
    isLive: (path) => stepDetail !== undefined && isWithin(stepDetail.step.state, path),
    visits: (path) => visited.get(path) ?? 0,
    takes: (transitionId) => taken.get(transitionId) ?? 0,
    flow: (transitionId) => flows?.get(transitionId) ?? 0,
    resting: (path) => {
      if (stepDetail !== undefined || population === undefined || path === '') return null;
      const leaves = population.leaves.filter(({ state }) => isWithin(state, path));
      return {
        count: leaves.reduce((sum, leaf) => sum + leaf.count, 0),
        overdue: leaves.reduce((sum, leaf) => sum + (leaf.overdue ?? 0), 0),
      };
    },
    dwell: (path) => {
      const leaf = stepDetail === undefined ? population?.leaves.find(({ state }) => state === path) : undefined;
      if (leaf === undefined || population === undefined || leaf.oldestAt === null || isFinalIn(chart, path))
        return null;
      const { oldestAt, p95Ms, limitMs } = leaf;
      return { oldestMs: Math.max(0, population.at - oldestAt), p95Ms, limitMs, heat: heatOf(p95Ms, limitMs) };
    },
  };
}

/** At most six characters, so that it fits its badge: `12,345`, `123K`. */
export function shortCount(count: number): string {
  return count < 100_000 ? count.toLocaleString('en') : COMPACT.format(count);
}

/** At most four characters: `999`, `1.2K`, `120K`. */
export function shortestCount(count: number): string {
  return count < 1_000 ? String(count) : SHORTEST.format(count);
}

/**
 * How many state changes each arrow of a folded chart stands for, by its id. A change counts for
 * the arrow between the innermost states that contain its ends; one that passed through other
 * states in the same step has none.
 */
export function flowsOf({ transitions }: FoldableChart, { changes }: Throughput): ReadonlyMap<string, number> {
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
  return branch === '' || isWithin(leaf, branch);
}

function depthOf(path: string | null): number {
  return path === null || path === '' ? 0 : path.split('.').length;
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const SHORTEST = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 });

function isFinalIn({ states }: FoldableChart, path: string): boolean {
  return states.some((state) => state.path === path && state.type === 'final');
}

/** The root is drawn as a separate chip, so it contains no state. */
function isWithin(state: string, path: string): boolean {
  return path !== '' && (state === path || state.startsWith(`${path}.`));
}

/** 1 from half of the usual time, 2 from three quarters, 3 beyond it; 0 also without a limit. */
type Heat = 0 | 1 | 2 | 3;

/** How long actors have been in a state, measured by how long is usual there. */
function heatOf(p95Ms: number, limitMs: number | null): Heat {
  if (limitMs === null) return 0;
  const share = p95Ms / limitMs;
  if (share >= 1) return 3;
  if (share >= 0.75) return 2;
  return share >= 0.5 ? 1 : 0;
}
