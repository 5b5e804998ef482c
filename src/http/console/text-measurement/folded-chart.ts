import type { FoldableChart, TransitionDescription } from '../contract/charts.ts';

/**
 * A chart as an overview: one transition per pair of states, and none that stays in its state. The
 * server lays it out without boxes for events, so that all of it is readable on one screen.
 */
export function foldedChart(chart: FoldableChart): FoldableChart {
  const groups = new Map<string, TransitionDescription[]>();
  for (const transition of chart.transitions) {
    if (transition.to === null) continue;
    const id = foldedId(transition);
    groups.set(id, [...(groups.get(id) ?? []), transition]);
  }
  const transitions = [...groups].map(([id, [first, ...others]]) => {
    if (first === undefined) throw new Error(`the arrow ${id} matches no transition`);
    return { ...first, id, event: eventsOf([first, ...others]), guard: null, actions: [], order: 0 };
  });
  // What the states in a branch wait for is written in them.
  const states = chart.states.map((state) => (state.type === 'compound' ? { ...state, waitsFor: null } : state));
  return { ...chart, states, transitions, isFolded: true };
}

/** The id of the arrow that represents a transition in the folded chart. */
export function foldedId({ from, to }: Pick<TransitionDescription, 'from' | 'to'>): string {
  return `${from}>${to ?? from}`;
}

// Helpers

function eventsOf(transitions: readonly TransitionDescription[]): string {
  return [...new Set(transitions.map(({ event }) => event))].join(', ');
}
