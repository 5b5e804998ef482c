import type { FoldableChart, TransitionDescription } from '../../http/console/contract/charts.ts';
import { foldedId } from '../../http/console/text-measurement/index.ts';
import type { ChartStep } from './types.ts';

/**
 * A step on the folded chart: an arrow was taken as often as all transitions it stands for. Those
 * that stay in their state have no arrow.
 *
 * @param chart The whole chart.
 */
export function foldedStep(stepDetail: ChartStep | undefined, { transitions }: FoldableChart): ChartStep | undefined {
  if (stepDetail === undefined) return undefined;
  const counts = new Map<string, number>();
  for (const { transitionId, count } of stepDetail.taken) {
    const transition = transitions.find(({ id }) => id === transitionId);
    if (transition === undefined || transition.to === null) continue;
    const id = foldedId(transition);
    counts.set(id, (counts.get(id) ?? 0) + count);
  }
  return { ...stepDetail, taken: [...counts].map(([transitionId, count]) => ({ transitionId, count })) };
}

/** The transitions that an id stands for: one, or those of an arrow of the folded chart. */
export function transitionsOf(id: string | null, { transitions }: FoldableChart): readonly TransitionDescription[] {
  return transitions.filter(
    (transition) => transition.id === id || (transition.to !== null && foldedId(transition) === id),
  );
}
