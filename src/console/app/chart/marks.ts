import type { ChartData } from './types.ts';

/** The overlay of a chart: the path of one actor, or how many actors rest in each state. */
export interface Marks {
  /** The state the actor is in, or a branch that contains it. */
  isLive(path: string): boolean;
  /** How often the actor entered it; 0 without a moment. */
  visits(path: string): number;
  /** How often the transition was taken; 0 without a moment. */
  takes(transitionId: string): number;
  /** How many actors rest there, including substates for a branch; null without a population. */
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

/** The root is drawn as a separate chip, so it contains no state. */
function isWithin(state: string, path: string): boolean {
  return path !== '' && (state === path || state.startsWith(`${path}.`));
}
