import type { ChartInfo } from '../../http/console/contract/charts.ts';
import { flowsOf } from './flows.ts';
import { type Heat, heatOf } from './heat.ts';
import type { ChartData } from './types.ts';

/** The overlay of a chart: the path of one actor, or how many actors rest in each state. */
export interface Marks {
  /** The state the actor is in, or a branch that contains it. */
  isLive(path: string): boolean;
  /** How often the actor entered it; 0 without a moment. */
  visits(path: string): number;
  /** How often the transition was taken; 0 without a moment. */
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

export function marksOf({
  chart,
  moment,
  population,
  throughput,
}: Pick<ChartData, 'chart' | 'moment' | 'population' | 'throughput'>): Marks {
  const visited = new Map(moment?.visited.map(({ path, count }) => [path, count]));
  const flows = throughput === undefined || !chart.isFolded ? null : flowsOf(chart, throughput);
  const taken = new Map(moment?.taken.map(({ transitionId, count }) => [transitionId, count]));
  return {
    isLive: (path) => moment !== undefined && isWithin(moment.step.state, path),
    visits: (path) => visited.get(path) ?? 0,
    takes: (transitionId) => taken.get(transitionId) ?? 0,
    flow: (transitionId) => flows?.get(transitionId) ?? 0,
    resting: (path) => {
      if (moment !== undefined || population === undefined || path === '') return null;
      const leaves = population.leaves.filter(({ state }) => isWithin(state, path));
      return {
        count: leaves.reduce((sum, leaf) => sum + leaf.count, 0),
        overdue: leaves.reduce((sum, leaf) => sum + (leaf.overdue ?? 0), 0),
      };
    },
    dwell: (path) => {
      const leaf = moment === undefined ? population?.leaves.find(({ state }) => state === path) : undefined;
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

// Helpers

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const SHORTEST = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 });

function isFinalIn({ states }: ChartInfo, path: string): boolean {
  return states.some((state) => state.path === path && state.type === 'final');
}

/** The root is drawn as a separate chip, so it contains no state. */
function isWithin(state: string, path: string): boolean {
  return path !== '' && (state === path || state.startsWith(`${path}.`));
}
