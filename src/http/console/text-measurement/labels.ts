import type { FoldableChart, StateDescription, TransitionDescription } from '../contract/charts.ts';
import type { TextStyle } from './text-width.ts';

/**
 * Labels of a chart's boxes. Shared by layout and drawing, so that every drawn text was measured.
 */

export const TITLE: TextStyle = { size: 13, isBold: true };
export const NOTE: TextStyle = { size: 12, isBold: false };
const EVENT: TextStyle = { size: 12, isBold: true };
const GUARD: TextStyle = { size: 12, isBold: false };

export interface StateLabel {
  readonly title: string;
  /** Null for a final state, which waits for nothing, and where the chart does not say it. */
  readonly note: string | null;
}

export interface EventLabel {
  readonly glyph: 'clock' | 'always' | null;
  /** Order among several transitions of one event; null for the only one. */
  readonly order: number | null;
  readonly lines: readonly { readonly text: string; readonly style: TextStyle }[];
}

/** The root has no name in a chart; what it handles applies in every state. */
export function stateLabel({ path, waitsFor }: StateDescription): StateLabel {
  const title = path === '' ? 'in every state' : path.slice(path.lastIndexOf('.') + 1);
  return { title, note: waitsFor === null ? null : `waits for ${waitsFor}` };
}

export function eventLabel(transition: TransitionDescription, chart: FoldableChart): EventLabel {
  const { event, from, guard } = transition;
  const rivals = chart.transitions.filter((other) => other.from === from && other.event === event);
  const order =
    chart.isFolded || rivals.length < 2 ? null : rivals.filter((other) => other.order < transition.order).length + 1;
  const condition = guard === null ? [] : [{ text: `[${guard}]`, style: GUARD }];
  if (event === 'always') {
    return { glyph: 'always', order, lines: guard === null ? [{ text: 'always', style: EVENT }] : condition };
  }
  const glyph = event.startsWith('timer.') ? 'clock' : null;
  return { glyph, order, lines: [{ text: event, style: EVENT }, ...condition] };
}
