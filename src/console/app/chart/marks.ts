import type { ChartData } from './types.ts';

/** What lies over a chart: where an actor is and has been, or how many rest where. */
export interface Marks {
  /** The state the actor is in, or a branch that holds it. */
  isLive(path: string): boolean;
  /** How often the actor was there; 0 without a moment. */
  visits(path: string): number;
  /** How often the transition was taken; 0 without a moment. */
  takes(transitionId: string): number;
  /** How many rest there, a branch counting what lies in it; null without a population. */
  resting(path: string): { readonly count: number; readonly overdue: number } | null;
}

export function marksOf({ moment, population }: Pick<ChartData, 'moment' | 'population'>): Marks {
  const visited = new Map(moment?.visited.map(({ path, count }) => [path, count]));
  const taken = new Map(moment?.taken.map(({ transitionId, count }) => [transitionId, count]));
  return {
    isLive: (path) => moment !== undefined && isWithin(moment.step.state, path),
    visits: (path) => visited.get(path) ?? 0,
    takes: (transitionId) => taken.get(transitionId) ?? 0,
    resting: (path) => {
      if (moment !== undefined || population === undefined || path === '') return null;
      const leaves = population.leaves.filter(({ state }) => isWithin(state, path));
      return {
        count: leaves.reduce((sum, leaf) => sum + leaf.count, 0),
        overdue: leaves.reduce((sum, leaf) => sum + (leaf.overdue ?? 0), 0),
      };
    },
  };
}

/** At most five characters up to 99,999, so that it fits its badge: `1,204`, `123K`. */
export function shortCount(count: number): string {
  return count < 100_000 ? count.toLocaleString('en') : COMPACT.format(count);
}

// Helpers

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** The root is drawn as a chip beside the states, so nothing lies in it. */
function isWithin(state: string, path: string): boolean {
  return path !== '' && (state === path || state.startsWith(`${path}.`));
}
