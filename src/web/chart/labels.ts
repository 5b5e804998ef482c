import type { FoldableChart, StateDescription, TransitionDescription } from '../../http/console/contract/charts.ts';
import { shortDuration } from '../ui/values/time-text.ts';
import { timesText } from '../ui/values/word-text.ts';
import type { ChartOverlay, Dwell } from './chart-overlay.ts';

/** The text of a chart's nodes, for screen readers and tooltips. */

export function stateWords(state: StateDescription, overlay: ChartOverlay): string {
  const { path, type, isInitial, waitsFor, description } = state;
  if (path === '') return 'Handled in every state';
  const resting = overlay.resting(path);
  const dwell = overlay.dwell(path);
  return [
    path,
    { atomic: '', compound: 'has inner states', final: 'final state' }[type],
    isInitial ? 'initial' : '',
    overlay.isLive(path) ? 'the actor is here' : '',
    visitWords(overlay.visits(path)),
    resting === null ? '' : `${resting.count} here${resting.overdue > 0 ? `, ${resting.overdue} overdue` : ''}`,
    dwell === null ? '' : `${dwellText(dwell)}${limitWords(dwell)}`,
    waitsFor === null ? '' : `waits for ${waitsFor}`,
    description,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

export function transitionWords(transition: TransitionDescription, overlay: ChartOverlay): string {
  const { id, event, from, to, guard, actions } = transition;
  const takes = overlay.takes(id);
  return [
    event === 'always' ? 'always' : event,
    from === '' ? 'in every state' : `in ${from}`,
    to === null ? 'stays' : `leads to ${to === '' ? 'the beginning' : to}`,
    guard === null ? '' : `if ${guard}`,
    actions.length === 0 ? '' : `runs ${actions.join(', ')}`,
    takes === 0 ? '' : `taken ${timesText(takes)}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The time actors have been in a state, in the largest unit of each: `oldest 3 d · p95 2 h`. */
export function dwellText({ oldestMs, p95Ms }: Dwell): string {
  return `oldest ${shortDuration(oldestMs)} · p95 ${shortDuration(p95Ms)}`;
}

/** What an arrow of a folded chart stands for. */
export function arrowWords({ id, event, from, to }: TransitionDescription, overlay: ChartOverlay): string {
  const [takes, flow] = [overlay.takes(id), overlay.flow(id)];
  const taken = takes === 0 ? '' : `, taken ${timesText(takes)}`;
  const passed = flow === 0 ? '' : `, ${flow.toLocaleString('en')} in this period`;
  return `${from} → ${to ?? from}: ${event}${taken}${passed}`;
}

/** The tooltip of a state: its path, description, and entry and exit effects. */
export function stateHint({ path, description, entry, exit }: StateDescription, dwell: Dwell | null): string {
  return [
    path,
    description,
    dwell === null ? '' : `${dwellText(dwell)}${limitWords(dwell)}`,
    entry.length === 0 ? '' : `entry: ${entry.join(', ')}`,
    exit.length === 0 ? '' : `exit: ${exit.join(', ')}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

export function chartWords({ kind, version, states, transitions }: FoldableChart): string {
  const count = states.filter(({ path }) => path !== '').length;
  return `Statechart of ${kind}, version ${version}: ${count} states, ${transitions.length} transitions`;
}

// Helpers

function limitWords({ limitMs }: Dwell): string {
  return limitMs === null ? '' : `  of at most ${shortDuration(limitMs)}`;
}

function visitWords(visits: number): string {
  return visits === 0 ? '' : `visited ${timesText(visits)}`;
}
